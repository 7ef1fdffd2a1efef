import { PDFArray, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { readSampleSpace } from '../../../pdf/rewrite-content'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { isSrgbProfile } from './srgb-profile'

/** The color space of an image, as far as it matters for other codings of the samples. */
export interface ImageSpace {
  /** `gray` and `rgb` have one and three samples per pixel. `other` spaces aren't coded with loss. */
  kind: 'gray' | 'rgb' | 'indexed' | 'other'
  /** Whether equal samples of red, green and blue are the same as one sample of DeviceGray. */
  isPlain: boolean
  /** The palette as red, green and blue or as gray levels, and its color space. */
  palette?: { colors: Uint8Array; channels: 1 | 3; base: PDFObject; isPlain: boolean }
}

const OTHER: ImageSpace = { kind: 'other', isPlain: false }

/** Reads the color space of an image. */
export function readSpace(document: PdfDocument, value: PDFObject | undefined): ImageSpace {
  const space = document.peek(value)
  const parts = space instanceof PDFArray ? space.asArray() : []
  const family = document.peekName(parts[0] ?? space)
  if (family === 'Indexed') return readIndexed(document, parts)
  // In a gray-like space of one sample, such as a separation, JPEG data is as good as in DeviceGray.
  const { components, isAdditive } = readSampleSpace(document, space)
  if (components === 1) return { kind: 'gray', isPlain: family === 'DeviceGray' }
  if (components !== 3 || !isAdditive) return OTHER
  return {
    kind: 'rgb',
    isPlain: family === 'DeviceRGB' || (family === 'ICCBased' && isStandardRgb(document, parts[1])),
  }
}

/** Returns whether a profile is one of sRGB, in which equal samples are gray. */
function isStandardRgb(document: PdfDocument, value: PDFObject | undefined): boolean {
  const profile = decodeUpToLimit(document, value)
  return profile !== undefined && isSrgbProfile(profile)
}

function readIndexed(document: PdfDocument, [, baseValue, highest, table]: readonly PDFObject[]): ImageSpace {
  const base = baseValue && readSpace(document, baseValue)
  const colors = readTable(document, table)
  const count = (document.peekNumber(highest) ?? -1) + 1
  if (!baseValue || !base || !colors || count < 1 || count > 256) return { kind: 'indexed', isPlain: false }
  if (base.kind !== 'gray' && base.kind !== 'rgb') return { kind: 'indexed', isPlain: false }
  const channels = base.kind === 'gray' ? 1 : 3
  const whole = new Uint8Array(256 * channels)
  whole.set(colors.subarray(0, count * channels))
  return {
    kind: 'indexed',
    isPlain: false,
    palette: { colors: whole, channels, base: baseValue, isPlain: base.isPlain },
  }
}

function readTable(document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined {
  const table = document.peek(value)
  if (table instanceof PDFString || table instanceof PDFHexString) return table.asBytes()
  return table instanceof PDFRawStream ? decodeUpToLimit(document, table) : undefined
}

/** Returns whether /Decode is missing or maps samples to themselves. `most` is the largest value of its ranges. */
export function hasUsualDecode(document: PdfDocument, dict: PDFDict, most = 1): boolean {
  const decode = document.peekArray(dict.get(Name.Decode))?.asArray()
  return !decode || decode.every((item, index) => document.peekNumber(item) === (index % 2 === 0 ? 0 : most))
}

/** The name of the device color space with so many samples per pixel. */
export const deviceSpace = (channels: 1 | 3): PDFName => PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB')
