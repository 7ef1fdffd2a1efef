import { PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../document/document'

/** Creates an image mask that paints nothing. It stands for an image that viewers don't show, or that was removed. */
export function createEmptyImage(document: PdfDocument): PDFRawStream {
  const dict = document.context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: 1,
    Height: 1,
    ImageMask: true,
    BitsPerComponent: 1,
  })
  return PDFRawStream.of(dict, Uint8Array.of(0x80))
}
