import { PDFArray, PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { Parser } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { StreamWalk } from '../../../pdf/walk-content'

/** Abbreviated keys of inline images (ISO 32000-1, table 93). */
const KEYS = new Map([
  ['BPC', 'BitsPerComponent'],
  ['CS', 'ColorSpace'],
  ['F', 'Filter'],
  ['IM', 'ImageMask'],
  ['I', 'Interpolate'],
])

/** Abbreviated color spaces of inline images (ISO 32000-1, table 94). */
const SPACES = new Map([
  ['G', 'DeviceGray'],
  ['RGB', 'DeviceRGB'],
  ['CMYK', 'DeviceCMYK'],
  ['I', 'Indexed'],
])

/** The dictionary of the inline image at the current operator, with unabbreviated keys and color spaces. */
export function inlineImageOf({ document, reader }: StreamWalk): PDFDict {
  const { starts, ends, count } = reader.operands
  const inside = count > 0 ? reader.bytes.subarray(starts[0], ends[count - 1]) : new Uint8Array(0)
  const bytes = Buffer.concat([Buffer.from('<<'), inside, Buffer.from('>>')])
  const parsed = new Parser(bytes, document.context, 0).parseAt(0)
  const entries = new Map<PDFName, PDFObject>()
  for (const [key, value] of parsed instanceof PDFDict ? parsed.entries() : []) {
    const name = key.decodeText()
    entries.set(PDFName.of(KEYS.get(name) ?? name), value)
  }
  const space = entries.get(Name.ColorSpace)
  if (space) entries.set(Name.ColorSpace, lengthen(space))
  return PDFDict.fromMapWithContext(entries, document.context)
}

function lengthen(value: PDFObject): PDFObject {
  if (value instanceof PDFName) return PDFName.of(SPACES.get(value.decodeText()) ?? value.decodeText())
  if (!(value instanceof PDFArray)) return value
  for (const [index, item] of value.asArray().entries()) if (item instanceof PDFName) value.set(index, lengthen(item))
  return value
}
