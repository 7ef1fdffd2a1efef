import { PDFRef } from 'pdf-lib'
import type { PDFDict, PDFName } from 'pdf-lib'
import { listDrawnStreams, listFonts, listStreamsOfPage, listStates } from '../../content/shown/drawn-streams'
import type { Font } from '../font'
import type { Fonts } from '../fonts'
import { listShownTextStrings } from '../../content/shown/shown-text-strings'
import { keyOfCode } from '../../content/code-keys'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import * as Name from '../../syntax/names'
import { findOrAdd } from '../../../map-entries'

/** The codes that a document shows in one font. */
export interface FontUse {
  reader: Font
  /** How often each code is shown, by its key, in the order of first use. */
  counts: Map<number, number>
}

/** The codes that a document shows in its fonts at one point in time. */
export interface FontUses {
  byFont: Map<PDFDict, FontUse>
  /** Strings whose font their content stream doesn't determine. */
  unknown: UnknownString[]
  /** Whether some content can't be decoded within the limits. It may show more. */
  isPartial: boolean
}

/** A string whose font its content stream doesn't determine. */
interface UnknownString {
  bytes: Uint8Array
  /** The resource name of the font. Undefined if the stream doesn't name it. */
  name: PDFName | undefined
}

/** Counts the codes that the document shows in the fonts that `isWanted` selects. */
export function countShownCodes(document: PdfDocument, isWanted: (font: PDFDict) => boolean, fonts: Fonts): FontUses {
  const uses: FontUses = { byFont: new Map(), unknown: [], isPartial: false }
  for (const { strings, isPartial } of listShownTextStrings(document, isWanted)) {
    if (isPartial) uses.isPartial = true
    for (const { font, name, bytes } of strings) {
      if (font) countCodes(openUse(uses, fonts, font), bytes)
      else uses.unknown.push({ bytes, name })
    }
  }
  return uses
}

/** Counts the codes of one string. */
export function countCodes({ reader, counts }: FontUse, bytes: Uint8Array): void {
  for (const key of readCodes(reader, bytes)) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns the keys of the codes in a string, in order. */
export function readCodes(reader: Pick<Font, 'lengthAt'>, bytes: Uint8Array): number[] {
  const keys: number[] = []
  for (let at = 0; at < bytes.length;) {
    const length = reader.lengthAt?.(bytes, at) ?? 1
    let code = 0
    for (let index = 0; index < length; index++) code = code * 256 + (bytes[at + index] as number)
    keys.push(keyOfCode(code, length))
    at += length
  }
  return keys
}

/**
 * Returns all fonts in the resources of content streams, with their references. The reference is undefined for a font
 * that isn't an indirect object.
 */
export function listAllFonts(document: PdfDocument): Map<PDFDict, PDFRef | undefined> {
  const found = new Map<PDFDict, PDFRef | undefined>()
  for (const { resources } of listDrawnStreams(document)) addFonts(document, resources, found)
  return found
}

/** Returns the resource names of each font, in content streams and in the form's default resources. */
export function nameFonts(document: PdfDocument): Map<PDFDict, Set<PDFName>> {
  const names = new Map<PDFDict, Set<PDFName>>()
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const formResources = document.peekDict(form?.get(Name.DR))
  for (const resources of [formResources, ...[...listDrawnStreams(document)].map(drawing => drawing.resources)])
    for (const { name, font } of listFonts(document, resources))
      names.set(font, (names.get(font) ?? new Set()).add(name))
  return names
}

/** Returns the positions (from 0) of the pages whose streams have one of the fonts in their resources. */
export function findPagesWith(document: PdfDocument, fonts: ReadonlySet<PDFDict>): number[] {
  return document.pages.flatMap((page, index) =>
    [...listFontsOfPage(document, page).keys()].some(font => fonts.has(font)) ? [index] : [],
  )
}

/** Returns all fonts in the resources of a page's content streams and appearances, like `listAllFonts`. */
export function listFontsOfPage(document: PdfDocument, page: Page): Map<PDFDict, PDFRef | undefined> {
  const named = new Map<PDFDict, PDFRef | undefined>()
  for (const { resources } of listStreamsOfPage(document, page)) addFonts(document, resources, named)
  return named
}

function addFonts(
  document: PdfDocument,
  resources: PDFDict | undefined,
  found: Map<PDFDict, PDFRef | undefined>,
): void {
  for (const { font, ref } of listFonts(document, resources)) if (!found.get(font)) found.set(font, ref)
  for (const state of listStates(document, resources)) {
    const value = document.peekArray(state.get(Name.Font))?.asArray()[0]
    const font = document.peekDict(value)
    if (font && !found.get(font)) found.set(font, value instanceof PDFRef ? value : undefined)
  }
}

function openUse({ byFont }: FontUses, fonts: Fonts, font: PDFDict): FontUse {
  return findOrAdd(byFont, font, () => ({ reader: fonts.find(font), counts: new Map<number, number>() }))
}
