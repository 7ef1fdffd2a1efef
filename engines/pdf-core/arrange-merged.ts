import { PDFArray, PDFDict, PDFHexString, PDFName, PDFPageLeaf } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { readPageLabels, writePageLabels } from './labels'
import { writeOutline } from './outline'
import type { OutlineItem } from './outline'
import { Page, setPages } from './page-tree'

const COPIED = ['MediaBox', 'CropBox', 'Rotate', 'UserUnit'].map(name => PDFName.of(name))
const METADATA = ['Metadata', 'PieceInfo'].map(name => PDFName.of(name))

/** Positions of each of several lists in turn: the first of every list, the second of every list, until all have ended. */
export function interleave(lists: number[][]): number[] {
  const woven: number[] = []
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0)
  for (let at = 0; at < longest; at++) for (const list of lists) woven.push(...list.slice(at, at + 1))
  return woven
}

/**
 * Makes an outline with one closed entry for each of these titles, which leads to its page (a position from 0) and holds
 * its items.
 */
export function nestOutline(document: PdfDocument, entries: { title: string; pageIndex: number; items: OutlineItem[] }[]): void {
  const nested = entries.flatMap(({ title, pageIndex, items }) => {
    const page = document.pages[pageIndex]
    if (!page) return []
    const dict = PDFDict.withContext(document.context)
    dict.set(PDFName.of('Title'), PDFHexString.fromText(title))
    dict.set(PDFName.of('Dest'), document.context.obj([page.ref, 'Fit']))
    return [{ ref: document.register(dict), dict, children: items, isOpen: false }]
  })
  writeOutline(document, nested)
}

/** Puts an empty page as large as the page before it behind each of these positions (from 0), which must ascend. */
export function insertBlankPages(document: PdfDocument, behind: number[]): void {
  if (behind.length === 0) return
  const labels = readPageLabels(document)
  const places = new Set(behind)
  const before = document.pages
  const after = before.flatMap((page, index) => (places.has(index) ? [page, makeBlankPage(document, page)] : [page]))
  setPages(document, after)
  if (!labels) return
  const blank = { style: undefined, prefix: undefined, number: 1 }
  writePageLabels(document, labels.flatMap((label, index) => (places.has(index) ? [label, blank] : [label])))
}

function makeBlankPage(document: PdfDocument, like: Page): Page {
  const dict = PDFPageLeaf.fromMapWithContext(new Map<PDFName, PDFObject>([[PDFName.of('Type'), PDFName.of('Page')]]), document.context)
  for (const name of COPIED) {
    const value = document.peek(like.attribute(name))
    if (value) dict.set(name, value instanceof PDFArray ? value.clone(document.context) : value)
  }
  dict.set(PDFName.of('Resources'), PDFDict.withContext(document.context))
  return new Page(document, document.register(dict), new Map())
}

/** Takes out what the document says of itself: its information dictionary, its XMP, and what programs keep there. */
export function dropMetadata(document: PdfDocument): void {
  document.infoRef = undefined
  delete document.context.trailerInfo.Info
  for (const name of METADATA) if (document.catalog.has(name)) document.editCatalog().delete(name)
}
