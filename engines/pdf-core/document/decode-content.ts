import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../../errors'
import type { PdfDocument } from './document'
import { decodeStream } from '../filters/filters'

/**
 * The decoded bytes of a content stream, counted against the document's limit; undefined when there is no stream or
 * when nothing of it can be decoded. Throws EngineError `too-large`.
 */
export function decodeContent(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  const stream = document.peek(value)
  if (!(stream instanceof PDFRawStream)) return undefined
  const known = document.decoded?.get(stream)
  if (known) return known
  const data = decodeStream(stream.dict, stream.contents, item => document.peek(item), document.limits.maxStreamBytes)
  if (data) document.source.count(data.length)
  if (data) document.decoded?.add(stream, data)
  return data
}

/** Decoded bytes that are kept for one document, together. */
const MOST_KEPT = 64_000_000

/** Decoded streams of a document that is gone through many times. What comes out of it must not be changed. */
export class DecodedStreams {
  private readonly known = new WeakMap<PDFRawStream, Uint8Array>()
  private byteCount = 0

  get(stream: PDFRawStream): Uint8Array | undefined {
    return this.known.get(stream)
  }

  add(stream: PDFRawStream, data: Uint8Array): void {
    if (this.byteCount + data.length > MOST_KEPT) return
    this.byteCount += data.length
    this.known.set(stream, data)
  }
}

/** The same for content that can be kept unread: undefined when it is too large, too. */
export function decodeUpToLimit(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  try {
    return decodeContent(document, value)
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too-large') return undefined
    throw error
  }
}
