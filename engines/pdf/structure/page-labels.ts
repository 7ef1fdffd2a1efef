import { PDFDict, PDFNumber } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readNumberTree, writeNumberTree } from '../document/name-tree'
import * as Name from '../syntax/names'

/** The label of one page: style and prefix as in the dictionary, and the page's number. */
export interface PageLabel {
  style: PDFObject | undefined
  prefix: PDFObject | undefined
  number: number
}

/** The label of every page (ISO 32000-2, 12.4.2). Undefined if the document has none. */
export function readPageLabels(document: PdfDocument): PageLabel[] | undefined {
  const root = document.catalog.get(Name.PageLabels)
  if (!document.peekDict(root)) return undefined
  const ranges = readNumberTree(document, root).sort((a, b) => a.key - b.key)
  if (ranges.length === 0) return undefined
  const labels: PageLabel[] = []
  let at = -1
  for (let index = 0; index < document.pageCount; index++) {
    while (at + 1 < ranges.length && (ranges[at + 1]?.key ?? Infinity) <= index) at++
    const range = ranges[at]
    const dict = document.peekDict(range?.value)
    labels.push({
      style: dict ? document.peek(dict.get(Name.S)) : Name.D,
      prefix: dict && document.peek(dict.get(Name.P)),
      number: (document.peekNumber(dict?.get(Name.St)) ?? 1) + index - (range?.key ?? 0),
    })
  }
  return labels
}

/** Writes labels, one for each page, with as few ranges as possible. */
export function writePageLabels(document: PdfDocument, labels: PageLabel[]): void {
  const entries: { key: number; value: PDFObject }[] = []
  for (const [index, label] of labels.entries()) {
    const before = labels[index - 1]
    const continues =
      before &&
      before.style === label.style &&
      text(before.prefix) === text(label.prefix) &&
      (label.style === undefined || before.number + 1 === label.number)
    if (continues) continue
    const dict = PDFDict.withContext(document.context)
    if (label.style) dict.set(Name.S, label.style)
    if (label.prefix) dict.set(Name.P, label.prefix)
    if (label.style && label.number !== 1) dict.set(Name.St, PDFNumber.of(label.number))
    entries.push({ key: index, value: dict })
  }
  document.editCatalog().set(Name.PageLabels, writeNumberTree(document, entries))
}

/** Removes all page labels. Viewers then count pages from 1. */
export function removePageLabels(document: PdfDocument): void {
  if (document.catalog.has(Name.PageLabels)) document.editCatalog().delete(Name.PageLabels)
}

function text(value: PDFObject | undefined): string {
  return value ? value.toString() : ''
}
