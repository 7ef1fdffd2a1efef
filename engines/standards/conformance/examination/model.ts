import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'

/** The value of an entry, with a reference followed. */
export function entryOf(document: PdfDocument, dict: PDFDict | undefined, key: string): PDFObject | undefined {
  return document.peek(dict?.get(PDFName.of(key)))
}

/** Object and generation number, as in reports. */
export function objectOf(ref: PDFObject | undefined): string | undefined {
  return ref instanceof PDFRef ? `${ref.objectNumber} ${ref.generationNumber}` : undefined
}

/** The stream that a value leads to. */
export function streamOf(document: PdfDocument, value: PDFObject | undefined): PDFRawStream | undefined {
  const stream = document.peek(value)
  return stream instanceof PDFRawStream ? stream : undefined
}

/** The value of a dictionary that must be a dictionary itself, not a stream. */
export function plainDict(document: PdfDocument, value: PDFObject | undefined): PDFDict | undefined {
  const dict = document.peek(value)
  return dict instanceof PDFDict ? dict : undefined
}
