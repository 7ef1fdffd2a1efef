import type { PDFRef } from 'pdf-lib'
import { IDENTITY } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'

/** An image in a document, to draw with `drawImage`. */
export interface EmbeddedImage {
  ref: PDFRef
  /** Width in pixels as displayed, after applying the EXIF orientation. */
  width: number
  height: number
  /** Width in points at the file's resolution. If the file has none, at 96 pixels per inch, like in browsers. */
  widthPt: number
  heightPt: number
  /** Maps the unit square in which PDF draws the image to the unit square as displayed. */
  orientation: Matrix
}

/** Matrices of the eight EXIF orientations, starting with orientation 1. */
const ORIENTATIONS: readonly Matrix[] = [
  IDENTITY,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
]

const POINTS_PER_INCH = 72

/** The first EXIF orientation that swaps width and height. */
const FIRST_TURNED = 5

/** Pixels per inch. */
export interface Density {
  x: number
  y: number
}

/**
 * Describes an image in a document. `width` and `height` are pixels in the file, and `perInch` is their density.
 * `orientation` is 1 to 8 as in EXIF.
 */
export function describeImage(
  ref: PDFRef,
  {
    width,
    height,
    perInch,
    orientation = 1,
  }: { width: number; height: number; perInch: Density; orientation?: number },
): EmbeddedImage {
  const [widthPt, heightPt] = [(width / perInch.x) * POINTS_PER_INCH, (height / perInch.y) * POINTS_PER_INCH]
  const isTurned = orientation >= FIRST_TURNED
  return {
    ref,
    ...(isTurned
      ? { width: height, height: width, widthPt: heightPt, heightPt: widthPt }
      : { width, height, widthPt, heightPt }),
    orientation: ORIENTATIONS[orientation - 1] ?? IDENTITY,
  }
}
