import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { readText } from '../syntax/text-string'

/** A character collection: the entries of /CIDSystemInfo (ISO 32000-2, 9.7.3). */
export interface CharacterCollection {
  registry: string | undefined
  ordering: string | undefined
  supplement: number
}

/** A font without a character collection. */
export const NO_COLLECTION: CharacterCollection = { registry: undefined, ordering: undefined, supplement: 0 }

/** Orderings of Adobe's collections, whose CIDs stand for known characters (ISO 32000-2, 9.10.2). */
const OF_CHARACTERS = /^(Japan1|Japan2|GB1|CNS1|Korea1|KR)$/

/** Reads /CIDSystemInfo. Texts may also be names. */
export function readCollection(document: PdfDocument, value: PDFObject | undefined): CharacterCollection {
  const dict = document.peek(value)
  if (!(dict instanceof PDFDict)) return NO_COLLECTION
  return {
    registry: readTextOrName(document.peek(dict.get(Name.Registry))),
    ordering: readTextOrName(document.peek(dict.get(Name.Ordering))),
    supplement: document.peekNumber(dict.get(Name.Supplement)) ?? 0,
  }
}

/** Returns whether the CIDs of a collection stand for known characters. Other CIDs only number the glyphs of a font. */
export function hasKnownCharacters({ ordering }: CharacterCollection): boolean {
  return ordering !== undefined && OF_CHARACTERS.test(ordering)
}

function readTextOrName(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFName ? value.decodeText() : readText(value)
}
