import { PDFBool, PDFName, PDFString } from 'pdf-lib'
import type { PDFDict, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { topElements } from '../document/structure-elements'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/** Entries that apply to the whole document if they apply to one part (ISO 32000-2, table 353). */
const PARTIAL = ['UserProperties', 'Suspects'].map(name => PDFName.of(name))

/**
 * Joins the mark information of two files (ISO 32000-2, 14.7.1). The result is a tagged PDF only if both files are.
 * Otherwise a reader that relies on tags would skip the pages of the other file. Call it before joining the structure
 * trees.
 */
export function joinMarkInfo(document: PdfDocument, added: PDFDict): void {
  const { catalog } = document
  const ownInfo = document.peekDict(catalog.get(Name.MarkInfo))
  const addedInfo = document.peekDict(added.get(Name.MarkInfo))
  const isTrue = (dict: PDFDict | undefined, key: PDFName): boolean => document.peek(dict?.get(key)) === PDFBool.True
  const hasTree = [catalog, added].every(one => document.peekDict(one.get(Name.StructTreeRoot)))
  const states = new Map(PARTIAL.map(key => [key, isTrue(ownInfo, key) || isTrue(addedInfo, key)]))
  states.set(Name.Marked, hasTree && isTrue(ownInfo, Name.Marked) && isTrue(addedInfo, Name.Marked))
  // If only the added file is tagged, write /Marked false explicitly.
  const writesMarked = !ownInfo && (isTrue(addedInfo, Name.Marked) || [...states.values()].includes(true))
  const changed = [...states].filter(
    ([key, state]) => state !== isTrue(ownInfo, key) || (writesMarked && key === Name.Marked),
  )
  if (changed.length === 0) return
  const joined = copyDict(document, ownInfo)
  for (const [key, state] of changed) joined.set(key, state ? PDFBool.True : PDFBool.False)
  document.editCatalog().set(Name.MarkInfo, joined)
}

/**
 * Sets the language of a file on the top-level elements of its structure tree, because they inherited it from the
 * file's catalog (ISO 32000-2, 14.9.2). If the file has no language, an empty string prevents that the elements inherit
 * the language of the merged document.
 */
export function keepLanguage(document: PdfDocument, rootRef: PDFRef, catalogs: { own: PDFDict; whole: PDFDict }): void {
  const unknown = catalogs.whole.has(Name.Lang) ? PDFString.of('') : undefined
  const language = document.peek(catalogs.own.get(Name.Lang)) ?? unknown
  if (!language) return
  for (const { dict, edit } of topElements(document, rootRef)) if (!dict.has(Name.Lang)) edit().set(Name.Lang, language)
}
