import { PDFArray, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { Parser } from '../../../syntax/parser'
import type { InterpreterState } from '../interpreter-state'
import { findResource } from '../../walk/content-stream'
import * as Name from '../../../syntax/names'

/** Abbreviated keys and values of inline images (ISO 32000-2, tables 91 and 92). */
const KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
}
const SPACES: Readonly<Record<string, string>> = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK', I: 'Indexed' }
const FILTERS: Readonly<Record<string, string>> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
}

const KNOWN_KEYS = new Set([...Object.keys(KEYS), ...Object.values(KEYS), 'Intent'])

/** Returns whether a key belongs to the dictionary of an inline image (ISO 32000-2, table 91). */
export function isInlineKey(key: string): boolean {
  return KNOWN_KEYS.has(key)
}

/** Converts the current inline image of the reader to an image XObject. */
export function readInlineImage(document: PdfDocument, { reader, stream }: InterpreterState): PDFRawStream {
  const { starts, ends, count } = reader.operands
  const inside = count > 0 ? reader.bytes.subarray(starts[0], ends[count - 1]) : new Uint8Array(0)
  const parsed = new Parser(Buffer.concat([Buffer.from('<<'), inside, Buffer.from('>>')]), document.context, 0).parseAt(
    0,
  )
  const entries = new Map<PDFName, PDFObject>([
    [Name.Type, Name.XObject],
    [Name.Subtype, Name.Image],
  ])
  for (const [key, value] of parsed instanceof PDFDict ? parsed.entries() : [])
    entries.set(PDFName.of(KEYS[key.decodeText()] ?? key.decodeText()), value)
  const space = entries.get(Name.ColorSpace)
  if (space)
    entries.set(
      Name.ColorSpace,
      lengthenSpace(space, name => findResource(document, stream, 'ColorSpace', name)),
    )
  const filter = entries.get(Name.Filter)
  if (filter) entries.set(Name.Filter, lengthen(filter, FILTERS))
  return PDFRawStream.of(
    PDFDict.fromMapWithContext(entries, document.context),
    reader.bytes.slice(reader.dataStart, reader.dataEnd),
  )
}

function lengthenSpace(space: PDFObject, find: (name: string) => PDFObject | undefined): PDFObject {
  if (space instanceof PDFName) return find(space.decodeText()) ?? lengthen(space, SPACES)
  return lengthen(space, SPACES)
}

/** Expands abbreviated names, also in an array. */
function lengthen(value: PDFObject, names: Readonly<Record<string, string>>): PDFObject {
  if (value instanceof PDFName) return PDFName.of(names[value.decodeText()] ?? value.decodeText())
  if (!(value instanceof PDFArray)) return value
  for (let index = 0; index < value.size(); index++) {
    const item = value.get(index)
    if (item instanceof PDFName) value.set(index, lengthen(item, names))
  }
  return value
}
