import type { PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../errors'
import type { PdfDocument } from './document'
import { decodeStream } from './filters'

/** The decoded bytes of a content stream, counted against the document's limit; undefined when it can't be read or is too large. */
export function decodeContent(document: PdfDocument, stream: PDFRawStream): Uint8Array | undefined {
  try {
    const data = decodeStream(stream.dict, stream.contents, value => document.peek(value), document.limits.maxStreamBytes)
    if (data) document.source.count(data.length)
    return data
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too-large') return undefined // an oversized stream is kept unread
    throw error
  }
}
