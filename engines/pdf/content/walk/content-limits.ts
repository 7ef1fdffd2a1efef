import { EngineError } from '../../../errors'
import type { PdfDocument } from '../../document/document'
import type { ContentStream } from './content-stream'

/** Maximum nesting of content streams. PDFium draws 40 levels, other viewers fewer. */
const MAX_DEPTH = 100

/** Cost of reading a stream, in addition to its length. */
const BYTES_PER_STREAM = 1000

/** Limits the content that is read. Nested forms may draw the same stream again and again. */
export class ContentAmount {
  private byteCount = 0

  constructor(private readonly document: PdfDocument) {}

  /** Counts a stream that is read. Throws EngineError `too_large` if it is too deep, or if too much was read. */
  add(stream: ContentStream): void {
    const { maxInflateBytes } = this.document.limits
    if (stream.depth > MAX_DEPTH)
      throw new EngineError('too_large', `The content of a page nests more than ${MAX_DEPTH} content streams.`)
    this.byteCount += stream.bytes.length + BYTES_PER_STREAM
    if (this.byteCount > maxInflateBytes)
      throw new EngineError(
        'too_large',
        'The content of the pages, including their form XObjects, is more than ' +
          `${maxInflateBytes.toLocaleString('en')} bytes. Use fewer pages.`,
      )
  }
}
