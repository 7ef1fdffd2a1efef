import { PDFDict, PDFHexString, PDFName } from 'pdf-lib'
import { subtypeOf } from '../annotations/annotation-entries'
import { removeAnnotations, removeForm } from '../annotations/annotation-removal'
import { annotationsOf } from '../annotations/annotations'
import { recordRemovedClaims } from '../metadata/conformance-claims'
import type { PdfDocument } from '../document/document'
import { writeOutline } from '../structure/outline'
import type { OutlineItem } from '../structure/outline'
import * as Name from '../syntax/names'

const METADATA = ['Metadata', 'PieceInfo'].map(name => PDFName.of(name))

/** Interleaves lists of page positions: the first item of every list, then the second item of every list, and so on. */
export function interleave(lists: number[][]): number[] {
  const interleaved: number[] = []
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0)
  for (let at = 0; at < longest; at++) for (const list of lists) interleaved.push(...list.slice(at, at + 1))
  return interleaved
}

/**
 * Writes an outline with one closed entry for each title. Each entry leads to its page (a position from 0) and contains
 * the given items.
 */
export function nestOutline(
  document: PdfDocument,
  entries: { title: string; pageIndex: number; items: OutlineItem[] }[],
): void {
  const nested = entries.flatMap(({ title, pageIndex, items }) => {
    const page = document.pages[pageIndex]
    if (!page) return []
    const dict = PDFDict.withContext(document.context)
    dict.set(Name.Title, PDFHexString.fromText(title))
    dict.set(Name.Dest, document.context.obj([page.ref, 'Fit']))
    return [{ ref: document.register(dict), dict, children: items, isOpen: false }]
  })
  writeOutline(document, nested)
}

/** Removes the document's metadata: its information dictionary, its XMP and its /PieceInfo. */
export function dropMetadata(document: PdfDocument): void {
  recordRemovedClaims(document)
  document.infoRef = undefined
  delete document.context.trailerInfo.Info
  for (const name of METADATA) if (document.catalog.has(name)) document.editCatalog().delete(name)
}

/** Returns whether the document has a form, or widgets on its pages that no form lists. */
export function hasForm(document: PdfDocument): boolean {
  return (
    document.catalog.has(Name.AcroForm) ||
    document.pages.some(page =>
      annotationsOf(document, page).some(value => isWidget(document, document.peekDict(value))),
    )
  )
}

/** Removes the form with its fields, their values and their widgets. */
export function dropForms(document: PdfDocument): void {
  const pages = new Set(document.pages.keys())
  removeAnnotations(document, { pages, matches: annotation => isWidget(document, annotation), follows: () => true })
  removeForm(document)
}

function isWidget(document: PdfDocument, annotation: PDFDict | undefined): boolean {
  return annotation !== undefined && subtypeOf(document, annotation) === 'Widget'
}
