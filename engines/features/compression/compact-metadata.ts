import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { decodeUpToLimit, deflate, findReachable, readFilters } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import { parseXml } from '../../pdf/metadata'
import type { XmlElement } from '../../pdf/metadata'
import * as Name from '../../pdf/names'
import { withData } from './recompress-streams'

/** Previews of the document as JPEG images in Base64 (ISO 16684-1, 8.4). */
const THUMBNAILS = '{http://ns.adobe.com/xap/1.0/}Thumbnails'

/** White space before the end of a packet, which leaves room for edits in place (ISO 16684-1, 7.3.2). */
const PADDING = /\s{2,}(?=<\?xpacket end=)/

/** XML as a value, whose white space counts (RDF 1.1 XML syntax, 7.2.17). */
const LITERAL = /parseType\s*=\s*["']Literal/

/**
 * Removes the padding of XMP packets and white space between their elements, and their previews if `dropsPreviews` is
 * true. Leaves out packets that aren't well-formed UTF-8 without a byte order mark of their own.
 */
export function compactMetadata(document: PdfDocument, { dropsPreviews }: { dropsPreviews: boolean }): void {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (stream instanceof PDFRawStream && document.peek(stream.dict.get(Name.Type)) === Name.Metadata)
      compactPacket(document, { ref, stream, dropsPreviews })
  }
}

function compactPacket(
  document: PdfDocument,
  { ref, stream, dropsPreviews }: { ref: PDFRef; stream: PDFRawStream; dropsPreviews: boolean },
): void {
  const bytes = decodeUpToLimit(document, stream)
  const source = bytes && decodeUtf8(bytes)
  const root = source === undefined ? undefined : parseXml(source)
  if (source === undefined || !root) return
  const spans = LITERAL.test(source) ? [] : listSpaces(source, root)
  if (dropsPreviews) spans.push(...listElements(root, THUMBNAILS))
  const parts: string[] = []
  let at = 0
  for (const { start, end } of spans.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= at) continue // It is part of a preview.
    parts.push(source.slice(at, Math.max(at, start)))
    at = end
  }
  const kept = [...parts, source.slice(at)].join('').replace(PADDING, '\n')
  if (kept.length === source.length) return
  const data = Buffer.from(kept)
  const isPlain = readFilters(stream.dict, value => document.peek(value)).length === 0
  const smaller = isPlain
    ? withData(document, stream.dict, data)
    : withData(document, stream.dict, deflate(data), Name.FlateDecode)
  document.store.set(ref, smaller)
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Lists the elements with this name in the order of the source. None contains another. */
function listElements(root: XmlElement, name: string): XmlElement[] {
  if (root.name === name) return [root]
  return root.children.flatMap(child => listElements(child, name))
}

/** Lists the white space around the children of elements without other text. */
function listSpaces(source: string, element: XmlElement): { start: number; end: number }[] {
  const { children, text } = element
  if (text.trim() !== '') return []
  const before = children.map(({ start }) => ({ start: source.slice(0, start).trimEnd().length, end: start }))
  const end = children.at(-1)?.end
  const after = end === undefined ? [] : [{ start: end, end: source.length - source.slice(end).trimStart().length }]
  return [...before, ...after, ...children.flatMap(child => listSpaces(source, child))].filter(
    span => span.end > span.start,
  )
}
