import { isUtf8 } from 'node:buffer'
import { PDFBool, PDFDict, PDFHexString, PDFName, PDFArray, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { applyFilters, deflatedStream, readFilters } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'

const name = (text: string): PDFName => PDFName.of(text)
/** Entries of graphics state parameters that PDF/A forbids and that no renderer of pages uses (ISO 19005-2, 6.2.5). */
const TRANSFER_FUNCTIONS = ['TR', 'TR2', 'HTP'].map(name)
/** Entries of images and form XObjects that stand for other content (ISO 19005-2, 6.2.8 and 6.2.9). */
const SUBSTITUTES = ['Alternates', 'OPI', 'Ref', 'PS'].map(name)
const INTENTS = new Set(['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'])
/** Entries whose values are names of fonts and structure types. */
const READ_NAMES = ['BaseFont', 'FontName', 'S'].map(name)
/** Entries whose dictionaries have such names as keys. */
const NAMED_ENTRIES = ['RoleMap', 'Colorants'].map(name)
const LZW = new Set(['LZWDecode', 'LZW'])
const JPX = 'JPXDecode'

/**
 * Removes what PDF/A forbids in any object and what doesn't affect how pages look: interpolation, transfer functions,
 * alternate images, unknown rendering intents. Replaces LZW with Flate, removes filters around JPEG 2000, and completes hexadecimal strings and names.
 */
export function settleObjects(document: PdfDocument, objects: readonly WritableObject[]): void {
  for (const { ref, object } of objects) {
    for (const value of walkValues(object)) {
      if (value instanceof PDFDict) settleDict(document, value)
      settleNames(document, value)
      completeStrings(value)
    }
    const replaced = object instanceof PDFRawStream ? withoutFilters(document, object) : undefined
    if (replaced) document.store.set(ref, replaced)
  }
}

function settleDict(document: PdfDocument, dict: PDFDict): void {
  if (document.peek(dict.get(Name.Interpolate)) === PDFBool.True) dict.set(Name.Interpolate, PDFBool.False)
  const subtype = document.peekName(dict.get(Name.Subtype))
  if (subtype === 'Image' || subtype === 'Form') for (const key of SUBSTITUTES) dict.delete(key)
  if (subtype === 'Image') dropUnknownIntent(document, dict, Name.Intent)
  if (isGraphicsState(document, dict)) {
    for (const key of TRANSFER_FUNCTIONS) dict.delete(key)
    dropUnknownIntent(document, dict, Name.RI)
  }
}

/**
 * Names of fonts, colorants and structure types that aren't UTF-8 get the same characters in UTF-8 (ISO 19005-2,
 * 6.1.8). Other names stay, because content may use them.
 */
function settleNames(document: PdfDocument, owner: PDFObject): void {
  if (owner instanceof PDFArray) {
    const family = document.peekName(owner.get(0))
    if (family === 'Separation') settleName(owner, 1)
    const names = family === 'DeviceN' ? document.peekArray(owner.get(1)) : undefined
    for (let index = 0; index < (names?.size() ?? 0); index++) if (names) settleName(names, index)
  } else if (owner instanceof PDFDict) {
    for (const key of READ_NAMES) settleName(owner, key)
    for (const key of NAMED_ENTRIES) renameKeys(document.peekDict(owner.get(key)))
  }
}

/** Replaces the name at a key or an index with the same name in UTF-8, if it isn't in UTF-8 yet. */
function settleName(owner: PDFDict, key: PDFName): void
function settleName(owner: PDFArray, key: number): void
function settleName(
  owner: { get(key: unknown): PDFObject | undefined; set(key: unknown, value: PDFObject): void },
  key: unknown,
): void {
  const changed = inUtf8(owner.get(key))
  if (changed) owner.set(key, changed)
}

function renameKeys(dict: PDFDict | undefined): void {
  for (const [key, value] of dict?.entries() ?? []) {
    const [newKey, newValue] = [inUtf8(key), inUtf8(value)]
    if (newKey) dict?.delete(key)
    if (newKey || newValue) dict?.set(newKey ?? key, newValue ?? value)
  }
}

/** The name with its bytes, read as Latin-1, in UTF-8. Undefined if it can stay. */
function inUtf8(value: PDFObject | undefined): PDFName | undefined {
  if (!(value instanceof PDFName)) return undefined
  const text = value.decodeText()
  return isUtf8(Buffer.from(text, 'latin1')) ? undefined : name(Buffer.from(text).toString('latin1'))
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

/**
 * The same data without LZW filters and without filters around JPEG 2000, whose header validators read from the stream
 * itself. Later filters, such as DCT, stay. Undefined if the filters can stay.
 */
function withoutFilters(document: PdfDocument, { dict, contents }: PDFRawStream): PDFRawStream | undefined {
  const filters = readFilters(dict, value => document.peek(value))
  const count = filters.findLastIndex(({ name }, index) => LZW.has(name ?? '') || filters[index + 1]?.name === JPX) + 1
  if (count === 0) return undefined
  const bytes = applyFilters(filters.slice(0, count), contents, document.limits.maxStreamBytes)
  if (!bytes) return undefined
  if (count === filters.length) return deflatedStream(document, dict, bytes)
  const rest = filters.slice(count)
  const parameters = document.peekArray(dict.get(Name.DecodeParms))?.asArray().slice(count) ?? []
  const stream = PDFRawStream.of(deflatedStream(document, dict, new Uint8Array()).dict, bytes)
  stream.dict.set(Name.Filter, document.context.obj(rest.map(filter => filter.name ?? '')))
  if (parameters.length > 0) stream.dict.set(Name.DecodeParms, document.context.obj(parameters))
  return stream
}
