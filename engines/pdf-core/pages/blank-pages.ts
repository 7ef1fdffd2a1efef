import { PDFNumber } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { labelBetween } from '../structure/blank-page-labels'
import { writeBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { measureFrame } from '../geometry/frame'
import { readPageLabels, writePageLabels } from '../structure/page-labels'
import { resolveNumberedTargets } from './page-number-targets'
import type { PageSize } from '../../options/page-sizes'
import { Page, setPages } from '../document/page-tree'
import { movePrintRange } from '../structure/print-range'
import { dropXfa } from '../fields/xfa'
import * as Name from '../syntax/names'

/** Where blank pages come; positions count from 0. */
export interface Place {
  /** In front of the page at this position; the page count stands for the end. */
  before: number
  /** The page whose size they take when none is given. */
  beside: number
}

interface Blank {
  /** Blank pages at each place. */
  count: number
  /** Points; that of the page beside it, as seen, when missing. */
  size: PageSize | undefined
  orientation: 'auto' | 'portrait' | 'landscape'
}

/**
 * Inserts empty pages at these places, which are in order. Whatever leads to a page leads to the same one afterwards.
 * Pages of a document with page labels keep theirs; blank ones get labels that fit in between.
 */
export function insertBlankPages(document: PdfDocument, places: Place[], blank: Blank): void {
  if (places.length === 0) return
  const before = document.pages
  resolveNumberedTargets(document, before)
  const labels = readPageLabels(document)
  const order: (Page | undefined)[] = []
  const pages: Page[] = []
  let next = 0
  for (const place of places) {
    const passed = before.slice(next, place.before)
    const added = makePages(document, before[place.beside] as Page, blank) // places come from this document
    pages.push(...passed, ...added)
    order.push(...passed, ...added.map(() => undefined))
    next = place.before
  }
  const rest = before.slice(next)
  dropXfa(document)
  setPages(document, [...pages, ...rest])
  movePrintRange(document, before)
  if (!labels) return
  const labelOf = new Map(before.map((page, index) => [page, labels[index]]))
  writePageLabels(document, labelBetween([...order, ...rest].map(page => page && labelOf.get(page))))
}

function makePages(document: PdfDocument, neighbor: Page, { count, size, orientation }: Blank): Page[] {
  const frame = measureFrame(document, neighbor)
  // A neighbor beyond the bounds of user space has a unit of its own, and so has the page that matches it.
  const userUnit = size ? 1 : frame.userUnit
  const { width, height } = turnSize(size ?? frame, orientation)
  const box = { x: 0, y: 0, width: width / userUnit, height: height / userUnit }
  return Array.from({ length: count }, () => {
    const dict = document.context.obj({ Type: 'Page', MediaBox: writeBox(document, box), Resources: {} })
    // The tree of an open document has a root; a deeper parent is set with the pages.
    dict.set(Name.Parent, document.catalog.get(Name.Pages) as PDFObject)
    if (userUnit !== 1) dict.set(Name.UserUnit, PDFNumber.of(userUnit))
    return new Page(document, document.register(dict), new Map())
  })
}

function turnSize({ width, height }: PageSize, orientation: Blank['orientation']): PageSize {
  const isTurned = (orientation === 'portrait' && width > height) || (orientation === 'landscape' && height > width)
  return isTurned ? { width: height, height: width } : { width, height }
}
