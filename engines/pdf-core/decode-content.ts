import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../errors'
import type { PdfDocument } from './document'
import { decodeStream } from './filters'

/**
 * The decoded bytes of a content stream, counted against the document's limit; undefined when there is no stream or when
 * nothing of it can be decoded. Throws EngineError `too-large`.
 */
export function decodeContent(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  const stream = document.peek(value)
  if (!(stream instanceof PDFRawStream)) return undefined
  const data = decodeStream(stream.dict, stream.contents, item => document.peek(item), document.limits.maxStreamBytes)
  if (data) document.source.count(data.length)
  return data
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
