import { PDFHexString, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { Holder } from '../document/structure-elements'
import { decodeUpToLimit } from '../document/decode-content'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import type { Suffix } from './renamed-fields'
import { readTextBytes, writeBytes } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** The script of an action (ISO 32000-2, 12.6.4.17): a text string or a stream. Undefined if the action has none. */
export function readActionScript(document: PdfDocument, action: PDFDict | undefined): string | undefined {
  const bytes = bytesOf(document, document.peek(action?.get(Name.JS)))
  return bytes && readTextBytes(bytes)
}

/**
 * Inserts ASCII suffixes into the script of an action. The rest of the script keeps its bytes. A script that several
 * actions share is changed once, and `done` records the changed ones.
 */
export function editActionScript(
  document: PdfDocument,
  action: Holder,
  { suffixes, done }: { suffixes: Suffix[]; done: Set<PDFObject> },
): void {
  const value = action.dict.get(Name.JS)
  const object = document.peek(value)
  const bytes = bytesOf(document, object)
  if (!value || !object || !bytes || suffixes.length === 0 || done.has(object)) return
  const edited = insert(bytes, suffixes)
  const written = object instanceof PDFRawStream ? deflatedStream(document, object.dict, edited) : writeBytes(edited)
  done.add(written)
  if (value instanceof PDFRef) document.store.set(value, written)
  else action.edit().set(Name.JS, written)
}

function bytesOf(document: PdfDocument, object: PDFObject | undefined): Uint8Array | undefined {
  if (object instanceof PDFString || object instanceof PDFHexString) return object.asBytes()
  return object instanceof PDFRawStream ? decodeUpToLimit(document, object) : undefined
}

/** Inserts suffixes into encoded text. Positions count UTF-16 code units of the text that `readTextBytes` returns. */
function insert(bytes: Uint8Array, suffixes: Suffix[]): Uint8Array {
  const buffer = Buffer.from(bytes)
  const mark = buffer.toString('latin1', 0, 3)
  const isBigEndian = mark.startsWith('\u00fe\u00ff')
  const isWide = isBigEndian || mark.startsWith('\u00ff\u00fe')
  const isUtf8 = mark === '\u00ef\u00bb\u00bf'
  const text = isUtf8 ? readTextBytes(bytes) : ''
  const parts: Buffer[] = []
  let copiedUntil = 0
  let last = 0
  for (const { at, text: suffix } of suffixes) {
    const length = isUtf8 ? Buffer.byteLength(text.slice(last, at)) : (at - last) * (isWide ? 2 : 1)
    const end = (copiedUntil || (isUtf8 ? 3 : isWide ? 2 : 0)) + length
    parts.push(buffer.subarray(copiedUntil, end))
    parts.push(isWide ? Buffer.from([...suffix].flatMap(letter => wide(letter, isBigEndian))) : Buffer.from(suffix))
    copiedUntil = end
    last = at
  }
  return Buffer.concat([...parts, buffer.subarray(copiedUntil)])
}

function wide(letter: string, isBigEndian: boolean): number[] {
  return isBigEndian ? [0, letter.charCodeAt(0)] : [letter.charCodeAt(0), 0]
}
