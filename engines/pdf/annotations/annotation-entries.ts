import { PDFDict, PDFHexString, PDFName, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

/** Markup annotations (ISO 32000-2, table 171) and their pop-ups. */
export const COMMENTS = [
  'Text',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Caret',
  'Stamp',
  'Ink',
  'Popup',
  'FileAttachment',
  'Sound',
  'Redact',
  'Projection',
] as const

/** The API follows at most this many chained actions of one annotation. */
const MAX_ACTIONS = 64

/**
 * The annotation's /Subtype. A field without /Subtype is a widget. Any other annotation without it has an empty name.
 */
export function subtypeOf(document: PdfDocument, annotation: PDFDict): string {
  const subtype = document.peek(annotation.get(Name.Subtype))
  if (subtype instanceof PDFName) return subtype.decodeText()
  return annotation.has(Name.FT) ? 'Widget' : ''
}

/** The author of the annotation: its /T. On a widget, /T is the field's name, so don't call this for widgets. */
export function authorOf(document: PdfDocument, annotation: PDFDict): string | undefined {
  const value = document.peek(annotation.get(Name.T))
  if (!isText(value)) return undefined
  const bytes = Buffer.from(value.asBytes())
  return isUtf8(bytes) ? bytes.toString('utf8', 3) : value.decodeText()
}

/** The URLs that the annotation's actions open, exactly as the actions spell them. */
export function urlsOf(document: PdfDocument, annotation: PDFDict): string[] {
  const urls: string[] = []
  const stack = [annotation.get(Name.A), annotation.get(Name.PA)]
  for (let count = 0; stack.length && count < MAX_ACTIONS; count++) {
    const value = document.peek(stack.pop())
    if (!(value instanceof PDFDict)) continue
    const url = document.peek(value.get(Name.URI))
    if (document.peek(value.get(Name.S)) === Name.URI && isText(url)) urls.push(readUrl(url))
    const next = value.get(Name.Next)
    stack.push(...(document.peekArray(next)?.asArray().slice(0, MAX_ACTIONS) ?? [next]))
  }
  return urls
}

function readUrl(value: PDFString | PDFHexString): string {
  const bytes = Buffer.from(value.asBytes())
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff
  return isWide ? value.decodeText() : bytes.toString('utf8', isUtf8(bytes) ? 3 : 0)
}

function isUtf8(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function isText(value: PDFObject | undefined): value is PDFString | PDFHexString {
  return value instanceof PDFString || value instanceof PDFHexString
}
