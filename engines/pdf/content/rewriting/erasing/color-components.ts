import { PDFArray, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import * as Name from '../../../syntax/names'

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  Indexed: 1,
  Separation: 1,
}

/** The properties of a color space that matter for samples (ISO 32000-2, 8.6.3). */
export interface SampleSpace {
  /** Samples per pixel. Undefined if the color space is unknown. */
  components: number | undefined
  /** Whether the largest value of all samples is white, as in additive color spaces. */
  isAdditive: boolean
}

/** Reads the properties of a color space. Unknown if there is no color space. */
export function readSampleSpace(document: PdfDocument, value: PDFObject | undefined): SampleSpace {
  const space = document.peek(value)
  const parts = space instanceof PDFArray ? space.asArray() : []
  const family = document.peek(space instanceof PDFArray ? parts[0] : space)
  const name = family instanceof PDFName ? family.decodeText() : ''
  if (name === 'ICCBased') {
    const components = document.peekNumber(document.peekDict(parts[1])?.get(Name.N))
    return { components, isAdditive: components === 1 || components === 3 }
  }
  if (name === 'DeviceN') return { components: document.peekArray(parts[1])?.size(), isAdditive: false }
  return { components: COMPONENTS[name], isAdditive: /^(DeviceGray|CalGray|DeviceRGB|CalRGB)$/.test(name) }
}
