import { PDFName, PDFRef } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import { findReachable } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { renameElementIds } from '../../../pdf/tags'
import * as Name from '../../../pdf/names'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { textsOfBytes } from '../matching/byte-texts'
import { redactObject } from './string-cutter'

/**
 * Texts of structure elements, which stand for their content, and identifiers, which refer to each other (ISO 32000-2,
 * 14.7 to 14.9).
 */
const OTHER_ENTRIES = new Set(
  ['ActualText', 'Alt', 'E', 'T', 'Phoneme', 'Summary', 'Short', 'Desc', 'ID', 'IDTree', 'Headers'].map(key =>
    PDFName.of(key),
  ),
)

/** Removes matches from identifiers, attributes, classes, languages and namespaces of the structure tree. */
export function redactStructure(document: PdfDocument, rules: readonly Rule[]): void {
  const root = document.catalog.get(Name.StructTreeRoot)
  if (!(root instanceof PDFRef)) return
  const stops = new Set<number>()
  for (const page of document.pages) {
    stops.add(page.ref.objectNumber)
    for (const value of annotationsOf(document, page)) if (value instanceof PDFRef) stops.add(value.objectNumber)
  }
  const reached = findReachable(document, [root.objectNumber], stops)
  for (const slot of reached.inOrder()) redactObject(document, reached.refOf(slot), rules, OTHER_ENTRIES)
  renameElementIds(document, id =>
    textsOfBytes(Buffer.from(id, 'latin1'), { isForeign: rules.some(rule => rule.isForeign) }).some(
      text => cutMatches(text, rules, { isCounted: false }) !== undefined,
    ),
  )
}
