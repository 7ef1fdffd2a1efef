import type { PDFDict, PDFRef } from 'pdf-lib'
import type { DrawnStream } from '../../content/shown/drawn-streams'
import { StreamEdits } from '../../content/rewriting/stream-edits'
import { listShownTextStrings } from '../../content/shown/shown-text-strings'
import { writeString } from '../../syntax/operand-strings'
import type { Font } from '../font'
import { codeOfKey } from '../../content/code-keys'
import { addDeflatedStream, deflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { readCodes } from './shown-codes'
import * as Name from '../../syntax/names'

/** The new codes of a font. */
export interface Recoding {
  /** Reads the old codes. */
  reader: Font
  /** New code keys by old code keys. */
  keys: ReadonlyMap<number, number>
}

/** Rewrites all strings that are shown in these fonts with their new codes. */
export function recodeContent(document: PdfDocument, recodings: ReadonlyMap<PDFDict, Recoding>): void {
  if (recodings.size === 0) return
  // Read all content before writing, because rewritten content must not be read again.
  const written = listRecoded(document, recodings)
  const pages = new Map<string, PDFRef>()
  for (const { drawing, content } of written) {
    const [ref] = drawing.streams
    if (drawing.kind === 'page') {
      // Pages with the same streams and resources share the rewritten stream.
      const id = `${drawing.streams.map(({ tag }) => tag).join(' ')} ${String(drawing.page.attribute(Name.Resources))}`
      const own = pages.get(id) ?? addDeflatedStream(document, content)
      pages.set(id, own)
      document.edit(drawing.page.ref).set(Name.Contents, own)
    } else if (ref) document.store.set(ref, deflatedStream(document, document.edit(ref), content))
  }
}

function listRecoded(
  document: PdfDocument,
  recodings: ReadonlyMap<PDFDict, Recoding>,
): { drawing: DrawnStream; content: Uint8Array }[] {
  const written: { drawing: DrawnStream; content: Uint8Array }[] = []
  for (const { drawing, content, strings } of listShownTextStrings(document, font => recodings.has(font))) {
    const edits = new StreamEdits()
    for (const { font, bytes, start, end } of strings) {
      const recoding = font && recodings.get(font)
      if (recoding) edits.replace(start, end, writeString(recode(recoding, bytes)))
    }
    if (edits.count > 0) written.push({ drawing, content: edits.apply(content) })
  }
  return written
}

function recode({ reader, keys }: Recoding, bytes: Uint8Array): Uint8Array {
  const written: number[] = []
  for (const key of readCodes(reader, bytes)) {
    const { code, length } = codeOfKey(keys.get(key) ?? key)
    for (let byte = length - 1; byte >= 0; byte--) written.push(Math.floor(code / 256 ** byte) % 256)
  }
  return Uint8Array.from(written)
}
