import { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeText, decodeWindows1252, detectUnicode } from '../../../decode-text'
import { decodeUpToLimit, findReachable } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { RemovedTerms } from './removed-terms'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'

/** Maximum size of a text file to search, in bytes. Larger files can't be searched. */
const MOST_TEXT = 5_000_000

/**
 * Returns whether all attached files were searched and contain no match. Files that aren't plain text (PDFs, ZIPs,
 * office documents, images) and text files over 5 MB can't be searched.
 */
export function areAttachmentsClean(document: PdfDocument, rules: readonly Rule[]): boolean {
  const general = rules.filter(rule => rule.isForAll)
  const terms = new RemovedTerms(general)
  return [...listAttached(document)].every(ref => {
    const bytes = decodeUpToLimit(document, ref)
    const text = bytes && bytes.length <= MOST_TEXT ? readText(bytes) : undefined
    if (!bytes || text === undefined || terms.isInBytes(bytes)) return false
    const searched = composeText(Array.from(text))
    return general.every(rule => rule.find(searched).length === 0)
  })
}

/** Returns the streams of all attached files (ISO 32000-2, 7.11.4). */
function listAttached(document: PdfDocument): Set<PDFRef> {
  const found = new Set<PDFRef>()
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (object instanceof PDFRawStream && document.peek(object.dict.get(Name.Type)) === Name.EmbeddedFile)
      found.add(ref)
    const stack: (PDFObject | undefined)[] = [object instanceof PDFRawStream ? object.dict : object]
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (!(value instanceof PDFDict)) continue
      for (const file of document.peekDict(value.get(Name.EF))?.values() ?? [])
        if (file instanceof PDFRef) found.add(file)
      stack.push(...value.values().filter(item => item instanceof PDFDict))
    }
  }
  return found
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
