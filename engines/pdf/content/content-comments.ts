import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { findContentStreams, peekContent } from './content-streams'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import type { Reached } from '../document/reachable'
import { inflateIntact } from '../filters/inflate'
import * as Name from '../syntax/names'
import { stringEnd } from '../syntax/scanner'
import { asBuffer } from '../syntax/syntax'
import { ContentReader } from '../syntax/content-reader'

const [PERCENT, OPEN, CLOSE, LESS, GREATER] = [0x25, 0x28, 0x29, 0x3c, 0x3e]

/**
 * Removes comments from all content streams: pages, form XObjects, tiling patterns and glyphs of Type 3 fonts.
 * `reached` are all objects of the document. Returns where the data of the other streams ends, by object number, if
 * reading them told it.
 */
export function removeContentComments(document: PdfDocument, reached: Reached): Map<number, number> {
  const ends = new Map<number, number>()
  for (const ref of findContentStreams(document, reached)) {
    const deflated = readDeflated(document, ref)
    const stripped = stripComments(deflated?.bytes ?? peekContent(document, ref))
    const dict = stripped && document.peekDict(ref)
    if (dict) document.store.set(ref, deflatedStream(document, dict, stripped))
    else if (deflated) ends.set(ref.objectNumber, deflated.end)
  }
  return ends
}

/** The content of an intact stream with the usual filter, and the end of its data. */
function readDeflated(document: PdfDocument, ref: PDFRef): { bytes: Uint8Array; end: number } | undefined {
  const stream = document.peek(ref)
  if (!(stream instanceof PDFRawStream) || stream.dict.has(Name.DecodeParms)) return undefined
  if (document.peek(stream.dict.get(Name.Filter)) !== Name.FlateDecode) return undefined
  return inflateIntact(stream.contents, document.limits.maxStreamBytes)
}

/**
 * Returns content without comments. The line ends of comments stay, because they separate tokens. Strings and inline
 * image data don't change. Undefined if there is no comment, or if the content ends inside a string.
 */
function stripComments(bytes: Uint8Array): Buffer | undefined {
  if (bytes.indexOf(PERCENT) < 0) return undefined
  const source = asBuffer(bytes)
  const parts: Buffer[] = []
  let copiedUntil = 0
  const strip = (from: number, end: number): boolean => {
    for (let at = from; at < end;) {
      const byte = bytes[at]
      if (byte === PERCENT) {
        parts.push(source.subarray(copiedUntil, at))
        while (at < end && bytes[at] !== 10 && bytes[at] !== 13) at++
        copiedUntil = at
      } else if (byte === OPEN) {
        at = stringEnd(bytes, at, end)
        if (at >= end && bytes[end - 1] !== CLOSE) return false
      } else if (byte === LESS && bytes[at + 1] !== LESS) {
        const close = source.indexOf(GREATER, at)
        at = close < 0 ? end : close + 1
      } else at += byte === LESS ? 2 : 1
    }
    return true
  }
  const reader = new ContentReader(bytes)
  let at = 0
  while (reader.next()) {
    if (!strip(at, reader.operator === 'BI' ? reader.dataStart : reader.end)) return undefined
    at = reader.end
  }
  if (!strip(at, bytes.length)) return undefined
  return copiedUntil === 0 ? undefined : Buffer.concat([...parts, source.subarray(copiedUntil)])
}
