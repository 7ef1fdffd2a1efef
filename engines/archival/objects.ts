import { PDFBool, PDFDict, PDFHexString, PDFName, PDFArray, PDFNull, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { deflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { applyFilters, readFilters } from '../pdf-core/filters/filters'
import * as Name from '../pdf-core/syntax/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'

const name = (text: string): PDFName => PDFName.of(text)
const INTERPOLATE = name('Interpolate')
/** Entries of graphics state parameters that PDF/A forbids and that no renderer of pages uses (ISO 19005-2, 6.2.5). */
const TRANSFER_FUNCTIONS = ['TR', 'TR2', 'HTP'].map(name)
/** Entries of images and form XObjects that stand for other content (ISO 19005-2, 6.2.8 and 6.2.9). */
const SUBSTITUTES = ['Alternates', 'OPI', 'Ref', 'PS'].map(name)
const INTENTS = new Set(['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'])
const LZW = new Set(['LZWDecode', 'LZW'])

/**
 * Removes what PDF/A forbids in any object and what doesn't affect how pages look: interpolation, transfer functions,
 * alternate images, unknown rendering intents. Replaces LZW with Flate, and completes hexadecimal strings.
 */
export function settleObjects(document: PdfDocument, objects: readonly WritableObject[]): void {
  for (const { ref, object } of objects) {
    for (const value of walkValues(object)) {
      if (value instanceof PDFDict) settleDict(document, value)
      completeStrings(value)
    }
    const replaced = object instanceof PDFRawStream ? withoutLzw(document, object) : undefined
    if (replaced) document.store.set(ref, replaced)
  }
}

function settleDict(document: PdfDocument, dict: PDFDict): void {
  if (document.peek(dict.get(INTERPOLATE)) === PDFBool.True) dict.set(INTERPOLATE, PDFBool.False)
  const subtype = document.peekName(dict.get(Name.Subtype))
  if (subtype === 'Image' || subtype === 'Form') for (const key of SUBSTITUTES) dict.delete(key)
  if (subtype === 'Image') dropUnknownIntent(document, dict, Name.Intent)
  if (isGraphicsState(document, dict)) {
    for (const key of TRANSFER_FUNCTIONS) dict.delete(key)
    dropUnknownIntent(document, dict, name('RI'))
  }
}

/** /Type is optional in graphics state parameters. These entries occur in no other dictionary. */
function isGraphicsState(document: PdfDocument, dict: PDFDict): boolean {
  return (
    document.peekName(dict.get(Name.Type)) === 'ExtGState' ||
    ['TR', 'TR2', 'HTP', 'OPM'].some(key => dict.has(name(key)))
  )
}

function dropUnknownIntent(document: PdfDocument, dict: PDFDict, key: PDFName): void {
  const intent = document.peekName(dict.get(key))
  if (intent !== undefined && !INTENTS.has(intent)) dict.delete(key)
}

/** An odd last digit counts as if a zero followed (ISO 32000-2, 7.3.4.3). PDF/A requires the zero. */
function completeStrings(owner: PDFObject): void {
  if (owner instanceof PDFArray) {
    for (let index = 0; index < owner.size(); index++) {
      const complete = completed(owner.get(index))
      if (complete) owner.set(index, complete)
    }
  } else if (owner instanceof PDFDict) {
    for (const [key, value] of owner.entries()) {
      const complete = completed(value)
      if (complete) owner.set(key, complete)
    }
  }
}

function completed(value: PDFObject): PDFHexString | undefined {
  if (!(value instanceof PDFHexString)) return undefined
  const digits = value.asString()
  return digits.length % 2 === 1 ? PDFHexString.of(`${digits}0`) : undefined
}

/** The same data deflated. Filters after the last LZW filter, such as DCT, stay. Undefined without an LZW filter. */
function withoutLzw(document: PdfDocument, { dict, contents }: PDFRawStream): PDFRawStream | undefined {
  const filters = readFilters(dict, value => document.peek(value))
  const count = filters.findLastIndex(({ name }) => LZW.has(name ?? '')) + 1
  if (count === 0) return undefined
  const bytes = applyFilters(filters.slice(0, count), contents, document.limits.maxStreamBytes)
  if (!bytes) return undefined
  const stream = deflatedStream(document, dict, bytes)
  if (count === filters.length) return stream
  const rest = filters.slice(count)
  stream.dict.set(Name.Filter, document.context.obj(['FlateDecode', ...rest.map(filter => filter.name ?? '')]))
  const parameters = document.peekArray(dict.get(Name.DecodeParms))?.asArray().slice(count) ?? []
  if (parameters.length > 0) stream.dict.set(Name.DecodeParms, document.context.obj([PDFNull, ...parameters]))
  return stream
}
