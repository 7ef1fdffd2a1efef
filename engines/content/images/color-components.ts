import { PDFArray, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import * as Name from '../../pdf-core/syntax/names'

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

/** A color space as far as samples are concerned (ISO 32000-2, 8.6.3). */
export interface SampleSpace {
  /** Samples of a pixel; undefined for a space that can't be told. */
  components: number | undefined
  /** Whether the largest value of all samples is white, as in additive spaces; otherwise 0 is, or no color is known. */
  isAdditive: boolean
}

/** The family of a color space; a missing one tells nothing. */
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
