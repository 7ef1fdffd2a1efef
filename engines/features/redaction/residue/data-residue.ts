import { PDFName } from 'pdf-lib'
import { listPalettes } from '../../../pdf/clean-data'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { GLYPH_LIST } from '../../../pdf/fonts'
import { asBuffer } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { RemovedTerms } from './removed-terms'
import { listData } from './residue'
import type { DataObject } from './residue'

/** Minimum length of a term in bytes of images and fonts. Shorter ones occur there by chance. */
const LEAST_LETTERS = 6

/** Texts that fonts need: names of glyphs, and of collections of characters. */
const USUAL = `${GLYPH_LIST} Adobe Identity Japan1 Korea1`.toLowerCase()

/** Types of streams that other modules search. */
const SEARCHED = ['EmbeddedFile', 'Metadata'].map(name => PDFName.of(name))

/** The end of the clear part of a Type 1 program, which has only words of the format and names of glyphs. */
const CLEAR_END = 'eexec'

/**
 * Returns whether the bytes of an image, a palette, a font program or a color profile spell a removed term, which can't
 * be cleared there.
 */
export function hasDataResidue(document: PdfDocument, words: RemovedTerms): boolean {
  if (words.isEmpty) return false
  const isFound = (bytes: Uint8Array): boolean => [...words.textsIn(bytes)].some(isTelling)
  for (const colors of listPalettes(document)) if (isFound(colors)) return true
  for (const object of listData(document)) if (partsOf(document, object).some(isFound)) return true
  return false
}

function isTelling(text: string): boolean {
  return Array.from(text).length >= LEAST_LETTERS && !USUAL.includes(text.toLowerCase())
}

/** The bytes of a stream that no other search reads, as they are and decoded. */
function partsOf(document: PdfDocument, { kind, stream }: DataObject): Uint8Array[] {
  if (!stream || (kind !== undefined && kind !== 'image')) return []
  const type = document.peek(stream.dict.get(Name.Type))
  if (SEARCHED.some(name => name === type)) return []
  const decoded = decodeUpToLimit(document, stream)
  return [...(kind === 'image' ? [stream.contents] : []), ...(decoded ? [withoutClearPart(decoded)] : [])]
}

function withoutClearPart(bytes: Uint8Array): Uint8Array {
  const buffer = asBuffer(bytes)
  return buffer.toString('latin1', 0, 2) === '%!' ? bytes.subarray(Math.max(0, buffer.indexOf(CLEAR_END))) : bytes
}
