import { PDFArray, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { deflatedStream } from '../document/deflated-stream'
import { decodeStream } from '../filters/filters'
import { inflateIntact } from '../filters/inflate'
import type { Reached } from '../document/reachable'
import { asBuffer, isWhite } from '../syntax/syntax'
import * as Name from '../syntax/names'

/**
 * Returns the end of a filter's data, after the last byte that a decoder reads. Undefined if it can't be determined.
 */
type FindEnd = (data: Uint8Array, maxBytes: number) => number | undefined

const ENDS = new Map<string, FindEnd>([
  ['FlateDecode', endOfDeflated],
  ['Fl', endOfDeflated],
  ['ASCIIHexDecode', data => endAfter(data, '>')],
  ['AHx', data => endAfter(data, '>')],
  ['ASCII85Decode', data => endAfter(data, '~>')],
  ['A85', data => endAfter(data, '~>')],
  ['RunLengthDecode', endOfRuns],
  ['RL', endOfRuns],
])

/**
 * Removes bytes after the end of stream data, which decoders never read. Skips images unless `images` is true.
 * `reached` are all objects of the document. `ends` has the ends that are known, by object number.
 */
export function trimStreams(
  document: PdfDocument,
  reached: Reached,
  { images, ends }: { images: boolean; ends: ReadonlyMap<number, number> },
): void {
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || (!images && document.peek(stream.dict.get(Name.Subtype)) === Name.Image))
      continue
    const cut = cutTail(document, stream, ends.get(ref.objectNumber))
    if (cut) document.store.set(ref, cut)
  }
}

function cutTail(
  document: PdfDocument,
  { dict, contents }: PDFRawStream,
  knownEnd: number | undefined,
): PDFRawStream | undefined {
  const stated = document.peek(dict.get(Name.Filter))
  const filters = (stated instanceof PDFArray ? stated.asArray() : [stated]).map(filter => document.peek(filter))
  const [first] = filters
  const findEnd = first instanceof PDFName ? ENDS.get(first.decodeText()) : undefined
  const { maxStreamBytes } = document.limits
  if (!findEnd) return undefined
  try {
    const recoded = filters.length > 1 ? recode(document, { dict, contents }) : undefined
    if (recoded) return recoded
    const end = knownEnd ?? findEnd(contents, maxStreamBytes)
    // A line end before `endstream` counts as data if /Length includes it.
    if (end === undefined || contents.subarray(end).every(isWhite)) return undefined
    const entries = new Map(dict.entries())
    entries.delete(Name.Length)
    return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), contents.slice(0, end))
  } catch {
    return undefined // too large or damaged: copy the stream unchanged
  }
}

/**
 * Decodes data with several filters and deflates it once, because there may be extra bytes after the end of each
 * filter.
 */
function recode(
  document: PdfDocument,
  { dict, contents }: Pick<PDFRawStream, 'dict' | 'contents'>,
): PDFRawStream | undefined {
  let isDamaged = false
  const note = (): void => void (isDamaged = true)
  const bytes = decodeStream(dict, contents, value => document.peek(value), document.limits.maxStreamBytes, note)
  return bytes && !isDamaged ? deflatedStream(document, dict, bytes) : undefined
}

function endOfDeflated(data: Uint8Array, maxBytes: number): number | undefined {
  return inflateIntact(data, maxBytes)?.end
}

function endAfter(data: Uint8Array, mark: string): number | undefined {
  const at = asBuffer(data).indexOf(mark)
  return at < 0 ? undefined : at + mark.length
}

/** The end of RunLength data. A length of 128 ends the data (ISO 32000-2, 7.4.5). */
function endOfRuns(data: Uint8Array): number | undefined {
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 0
    if (length === 128) return at + 1
    at += length < 128 ? length + 2 : 2
  }
  return undefined
}
