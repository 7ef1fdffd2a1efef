import { findContentStreams, peekContent } from './content-streams'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import type { Reached } from '../document/reachable'
import { stringEnd } from '../syntax/scanner'
import { asBuffer } from '../syntax/syntax'
import { ContentReader } from '../syntax/content-reader'

const [PERCENT, OPEN, CLOSE, LESS, GREATER] = [0x25, 0x28, 0x29, 0x3c, 0x3e]

/**
 * Removes comments from all content streams: pages, form XObjects, tiling patterns and glyphs of Type 3 fonts.
 * `reached` are all objects of the document.
 */
export function removeContentComments(document: PdfDocument, reached: Reached): void {
  for (const ref of findContentStreams(document, reached)) {
    const stripped = stripComments(peekContent(document, ref))
    const dict = stripped && document.peekDict(ref)
    if (dict) document.store.set(ref, deflatedStream(document, dict, stripped))
  }
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
