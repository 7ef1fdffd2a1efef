import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import type { KnownObjects } from '../../../pdf/object-model'
import { RemovedTerms } from './removed-terms'
import type { Rule } from '../search-rules/rule'
import { cutMatches } from '../search-rules/cut-matches'
import { textsOfBytes } from '../matching/byte-texts'
import { decodedTexts } from '../search-rules/encoded-text'
import { cutMarkup } from '../xml/xml-text'

/** Maximum size of a text file to search, in bytes. Larger files can't be searched. */
const MOST_TEXT = 5_000_000

/**
 * Returns whether all attached files were searched and contain no match. Files that aren't plain text (PDFs, ZIPs,
 * office documents, images) and text files over 5 MB can't be searched.
 */
export function areAttachmentsClean(document: PdfDocument, known: KnownObjects, rules: readonly Rule[]): boolean {
  const general = rules.filter(rule => rule.isForAll)
  const terms = new RemovedTerms(general)
  const isForeign = general.some(rule => rule.isForeign)
  return known.withType('EmbeddedFileStream', 'AFEmbeddedFileStream').every(ref => {
    const bytes = decodeUpToLimit(document, ref)
    const texts = bytes && bytes.length <= MOST_TEXT ? readTexts(bytes, isForeign) : undefined
    if (!bytes || texts === undefined || terms.isInBytes(bytes)) return false
    return texts.every(text => !hasMatch(text, general))
  })
}

/** Returns whether a rule matches a reading of a text file: as it is, without markup, and with escapes resolved. */
function hasMatch(text: string, rules: readonly Rule[]): boolean {
  for (const one of [text, ...decodedTexts(text, 'file')]) {
    const cut =
      cutMatches(one, rules, { isCounted: false }) ??
      (/<[a-z!?]/i.test(one) ? cutMarkup(one, rules, { isCounted: false }) : undefined)
    if (cut !== undefined) return true
  }
  return false
}

/** Returns the texts that a file may stand for, or undefined for a file that isn't text. */
function readTexts(bytes: Uint8Array, isForeign: boolean): string[] | undefined {
  const [first, second] = bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (!isMarked && (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-' || hasControls(bytes)))
    return undefined
  return textsOfBytes(bytes, { isForeign })
}

/** Returns whether there are control characters that don't occur in text files. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)
}
