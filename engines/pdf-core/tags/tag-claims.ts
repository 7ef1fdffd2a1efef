import { PDFBool, PDFDict, PDFName, PDFString } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { topElements } from '../document/structure-elements'
import * as Name from '../syntax/names'

/** What is true of the whole if it is true of one part (ISO 32000-2, table 353). */
const PARTIAL = ['UserProperties', 'Suspects'].map(name => PDFName.of(name))

/**
 * Joins what two files say about their tags (ISO 32000-2, 14.7.1). The whole is a tagged PDF only if both are: a reader
 * that trusts the tags would pass over the pages of the other. Comes before the structure trees are joined.
 */
export function joinMarkInfo(document: PdfDocument, added: PDFDict): void {
  const { catalog } = document
  const own = document.peekDict(catalog.get(Name.MarkInfo))
  const theirs = document.peekDict(added.get(Name.MarkInfo))
  const isTrue = (dict: PDFDict | undefined, key: PDFName): boolean => document.peek(dict?.get(key)) === PDFBool.True
  const hasTree = [catalog, added].every(one => document.peekDict(one.get(Name.StructTreeRoot)))
  const states = new Map(PARTIAL.map(key => [key, isTrue(own, key) || isTrue(theirs, key)]))
  states.set(Name.Marked, hasTree && isTrue(own, Name.Marked) && isTrue(theirs, Name.Marked))
  // That the added file alone is tagged is said too: readers may ask.
  const isSilent = !own && (isTrue(theirs, Name.Marked) || [...states.values()].includes(true))
  const changed = [...states].filter(([key, state]) => state !== isTrue(own, key) || (isSilent && key === Name.Marked))
  if (changed.length === 0) return
  const joined = PDFDict.fromMapWithContext(new Map(own?.entries() ?? []), document.context)
  for (const [key, state] of changed) joined.set(key, state ? PDFBool.True : PDFBool.False)
  document.editCatalog().set(Name.MarkInfo, joined)
}

/**
 * Gives the elements at the top of a structure tree the language of their file, which they took from its catalog
 * (ISO 32000-2, 14.9.2). If the file has none, they must not take that of the whole: an empty text says so.
 */
export function keepLanguage(document: PdfDocument, rootRef: PDFRef, catalogs: { own: PDFDict; whole: PDFDict }): void {
  const unknown = catalogs.whole.has(Name.Lang) ? PDFString.of('') : undefined
  const language = document.peek(catalogs.own.get(Name.Lang)) ?? unknown
  if (!language) return
  for (const { dict, edit } of topElements(document, rootRef)) if (!dict.has(Name.Lang)) edit().set(Name.Lang, language)
}
