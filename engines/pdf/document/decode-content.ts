import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../../errors'
import type { PdfDocument } from './document'
import { FactKind } from './facts'
import { decodeStream } from '../filters/filters'

/**
 * The decoded bytes of a content stream, counted against the document's limit. Undefined if `value` isn't a stream or
 * if no byte of it can be decoded. Throws EngineError `too_large`.
 */
export function decodeContent(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  const stream = document.peek(value)
  if (!(stream instanceof PDFRawStream)) return undefined
  const cached = document.facts.get(DECODED_STREAMS)?.get(stream)
  if (cached) return cached
  const data = decodeStream(stream.dict, stream.contents, item => document.peek(item), document.limits.maxStreamBytes)
  if (data) document.source.count(data.length)
  if (data) document.facts.get(DECODED_STREAMS)?.add(stream, data)
  return data
}

/** Maximum total size of the decoded streams that a document keeps. */
const MOST_KEPT = 64_000_000

/** The decoded streams of a document that is processed many times. Other documents have none. */
export const DECODED_STREAMS = new FactKind<DecodedStreams>('decoded streams')

/** Cache of decoded streams, for a document that is processed many times. Callers must not change the cached bytes. */
export class DecodedStreams {
  private readonly streams = new WeakMap<PDFRawStream, Uint8Array>()
  private byteCount = 0

  get(stream: PDFRawStream): Uint8Array | undefined {
    return this.streams.get(stream)
  }

  add(stream: PDFRawStream, data: Uint8Array): void {
    if (this.byteCount + data.length > MOST_KEPT) return
    this.byteCount += data.length
    this.streams.set(stream, data)
  }
}

/** Like `decodeContent`, but returns undefined if the content is too large. For callers that can skip such content. */
export function decodeUpToLimit(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  try {
    return decodeContent(document, value)
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}
