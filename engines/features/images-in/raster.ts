import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { addProfile, addSamples, describeImage, indexedSpace } from '../../pdf/images'
import type { Density, EmbeddedImage, Mask, SampleLayout } from '../../pdf/images'

/** Decoded pixels. The number of channels is 1 for gray or a palette, 3 for RGB and 4 for CMYK. */
export interface Raster extends SampleLayout {
  /** Rows from the top, each padded to a whole byte. Samples of 16 bits have their high byte first. */
  samples: Uint8Array
  /** Three bytes per color. */
  palette?: Uint8Array | undefined
  mask?: Mask | undefined
  /** Whether the smallest gray is white. */
  isInverted?: boolean
  /** Pixels per inch, if the file states them. */
  pixelsPerInch?: Density | undefined
  /** 1 to 8 as in EXIF. Default 1, upright. */
  orientation?: number
  /** A color profile in ICC format. */
  profile?: Uint8Array | undefined
}

/** Adds decoded pixels to a document without loss. `usualPerInch` is the density of images that don't state theirs. */
export function addRaster(document: PdfDocument, raster: Raster, usualPerInch: Density): EmbeddedImage {
  const { channels, palette, mask, isInverted, profile, pixelsPerInch } = raster
  const base = addProfile(document, profile, palette ? 3 : channels) ?? deviceSpace(palette ? 3 : channels)
  const ref = addSamples(document, raster, {
    ColorSpace: palette ? indexedSpace(document, base, palette) : base,
    mask,
    ...(isInverted && { Decode: document.context.obj([1, 0]) }),
  })
  return describeImage(ref, { ...raster, perInch: pixelsPerInch ?? usualPerInch })
}

/** The device color space with this number of channels. */
export function deviceSpace(channels: number): PDFObject {
  return channels === 4 ? Name.DeviceCMYK : channels === 3 ? Name.DeviceRGB : Name.DeviceGray
}
