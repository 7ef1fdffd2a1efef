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
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'

/** A position at which to insert blank pages. Positions count from 0. */
export interface InsertPosition {
  /** Insert before the page at this position. The page count means the end. */
  before: number
  /** The page whose size the blank pages take if there is no other size. */
  beside: number
}

interface Blank {
  /** Number of blank pages at each position. */
  count: number
  /** Size in points. If undefined, the displayed size of the page at `beside`. */
  size: PageSize | undefined
  orientation: 'auto' | 'portrait' | 'landscape'
}

/**
 * Inserts blank pages at these positions, which must be in order. Destinations keep their pages. In a document with page
 * labels, all pages keep their labels, and blank pages get labels that fit between them.
 */
export function insertBlankPages(document: PdfDocument, insertions: InsertPosition[], blank: Blank): void {
  if (insertions.length === 0) return
  const before = document.pages
  resolveNumberedTargets(document, before)
  const labels = readPageLabels(document)
  const order: (Page | undefined)[] = []
  const pages: Page[] = []
  let next = 0
  for (const insertion of insertions) {
    const passed = before.slice(next, insertion.before)
    const added = makePages(document, before[insertion.beside] as Page, blank) // the caller chose positions in this document
    pages.push(...passed, ...added)
    order.push(...passed, ...added.map(() => undefined))
    next = insertion.before
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
  // A page larger than the limits of user space has a /UserUnit. A blank page of the same size needs it too.
  const userUnit = size ? 1 : frame.userUnit
  const { width, height } = turnSize(size ?? frame, orientation)
  const box = { x: 0, y: 0, width: width / userUnit, height: height / userUnit }
  return Array.from({ length: count }, () => {
    const dict = document.context.obj({ Type: 'Page', MediaBox: writeBox(document, box), Resources: {} })
    // An open document always has a root node. `setPages` sets a deeper parent.
    dict.set(Name.Parent, document.catalog.get(Name.Pages) as PDFObject)
    if (userUnit !== 1) dict.set(Name.UserUnit, PDFNumber.of(userUnit))
    return new Page(document, document.register(dict), new Map())
  })
}

function turnSize({ width, height }: PageSize, orientation: Blank['orientation']): PageSize {
  const isTurned = (orientation === 'portrait' && width > height) || (orientation === 'landscape' && height > width)
  return isTurned ? { width: height, height: width } : { width, height }
}
