import { PDFArray, PDFDict, PDFHexString, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readSampleSpace } from '../content/rewriting/erasing/color-components'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { findObjectsByName } from '../document/find-objects-by-name'
import { decodeGeneral } from './clean-encoding'
import * as Name from '../syntax/names'

/** Cuts the colors of palettes after the last one (ISO 32000-2, 8.6.6.3), in strings and in streams. */
export function cutPalettes(document: PdfDocument): void {
  for (const { ref, object } of findObjectsByName(document, ['/Indexed'])) {
    for (const space of findPalettes(object)) {
      const lookup = space.get(3)
      const length = lengthOf(document, space)
      if (length === undefined) continue
      if (lookup instanceof PDFRef) cutLookup(document, lookup, length)
      else if (isLonger(lookup, length)) {
        const edited = document.store.get(ref) ?? object
        for (const own of findPalettes(edited)) {
          const most = lengthOf(document, own)
          const colors = own.get(3)
          if (most !== undefined && isLonger(colors, most)) own.set(3, cutString(colors, most))
        }
        break
      }
    }
  }
}

/** Yields the colors of the palettes that are strings. */
export function* listPalettes(document: PdfDocument): Generator<Uint8Array> {
  for (const { object } of findObjectsByName(document, ['/Indexed']))
    for (const space of findPalettes(object)) {
      const colors = document.peek(space.get(3))
      if (colors instanceof PDFString || colors instanceof PDFHexString) yield colors.asBytes()
    }
}

/** Cuts a palette in its own object. Several color spaces may share it, and one of them may need more. */
function cutLookup(document: PdfDocument, ref: PDFRef, length: number): void {
  const lookup = document.peek(ref)
  if (isLonger(lookup, length)) document.store.set(ref, cutString(lookup, length))
  else if (lookup instanceof PDFRawStream) {
    const bytes = decodeGeneral(document, lookup)
    if (!bytes || bytes.length <= length) return
    const written = deflatedStream(document, lookup.dict, bytes.subarray(0, length))
    written.dict.delete(Name.Length)
    document.store.set(ref, written)
  }
}

function lengthOf(document: PdfDocument, space: PDFArray): number | undefined {
  const { components } = readSampleSpace(document, space.get(1))
  const last = document.peekNumber(space.get(2))
  return components === undefined || last === undefined ? undefined : (Math.min(255, last) + 1) * components
}

function isLonger(value: PDFObject | undefined, length: number): value is PDFString | PDFHexString {
  return (value instanceof PDFString || value instanceof PDFHexString) && value.asBytes().length > length
}

function cutString(value: PDFString | PDFHexString, length: number): PDFHexString {
  return PDFHexString.of(Buffer.from(value.asBytes().subarray(0, length)).toString('hex'))
}

/** Yields the color spaces with a palette inside an object. */
function* findPalettes(object: PDFObject): Generator<PDFArray> {
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFRawStream) stack.push(value.dict)
    else if (value instanceof PDFDict) stack.push(...value.values())
    else if (value instanceof PDFArray) {
      if (value.size() === 4 && value.get(0) === Name.Indexed) yield value
      stack.push(...value.asArray())
    }
  }
}
