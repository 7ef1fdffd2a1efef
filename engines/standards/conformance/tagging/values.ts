import { PDFHexString, PDFName, PDFNull, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import { entryOf, objectOf } from '../examination/model'
import type { Location } from '../examination/report'

/** The text of a string or of a name. */
export function textEntry(document: PdfDocument, dict: PDFDict | undefined, key: string): string | undefined {
  const value = entryOf(document, dict, key)
  return value instanceof PDFName ? value.decodeText() : readText(value)
}

/** Returns whether an entry is a string. */
export function hasString(document: PdfDocument, dict: PDFDict | undefined, key: string): boolean {
  return isString(entryOf(document, dict, key))
}

/** Returns whether a value is a string. */
export function isString(value: PDFObject | undefined): value is PDFString | PDFHexString {
  return value instanceof PDFString || value instanceof PDFHexString
}

/** Returns whether an entry exists and isn't null. */
export function hasEntry(document: PdfDocument, dict: PDFDict | undefined, key: string): boolean {
  const value = entryOf(document, dict, key)
  return value !== undefined && value !== PDFNull
}

/** The catalog determines a natural language (ISO 14289-1, 7.2). An invalid language is another rule's matter. */
export function hasCatalogLanguage(document: PdfDocument): boolean {
  return hasString(document, document.catalog, 'Lang')
}

/** A value as text for reports, shortened. */
export function quote(text: string): string {
  return text.length > 40 ? `“${text.slice(0, 40).toWellFormed()}…”` : `“${text}”`
}

/** The location of an indirect object. */
export function locationOf(value: PDFObject | undefined, page?: number): Location {
  const object = objectOf(value)
  return { ...(page !== undefined && { page }), ...(object !== undefined && { object }) }
}
