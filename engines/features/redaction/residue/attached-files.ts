import { decodeText, decodeWindows1252, detectUnicode } from '../../../decode-text'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import type { KnownObjects } from '../../../pdf/object-model'
import { RemovedTerms } from './removed-terms'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'

/** Maximum size of a text file to search, in bytes. Larger files can't be searched. */
const MOST_TEXT = 5_000_000

/**
 * Returns whether all attached files were searched and contain no match. Files that aren't plain text (PDFs, ZIPs,
 * office documents, images) and text files over 5 MB can't be searched.
 */
export function areAttachmentsClean(document: PdfDocument, known: KnownObjects, rules: readonly Rule[]): boolean {
  const general = rules.filter(rule => rule.isForAll)
  const terms = new RemovedTerms(general)
  return known.withType('EmbeddedFileStream', 'AFEmbeddedFileStream').every(ref => {
    const bytes = decodeUpToLimit(document, ref)
    const text = bytes && bytes.length <= MOST_TEXT ? readText(bytes) : undefined
    if (!bytes || text === undefined || terms.isInBytes(bytes)) return false
    const searched = composeText(Array.from(text))
    return general.every(rule => rule.find(searched).length === 0)
  })
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or an 8-bit encoding. Returns undefined for a file that isn't text. */
function readText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return decodeText(bytes, detectUnicode(bytes))
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-' || hasControls(bytes)) return undefined
  const text = new TextDecoder().decode(bytes)
  return text.includes('\ufffd') ? decodeWindows1252(bytes) : text
}

/** Returns whether there are control characters that don't occur in text files. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)
}
