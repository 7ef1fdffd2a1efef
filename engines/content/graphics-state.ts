import type { PDFObject } from 'pdf-lib'
import { IDENTITY } from '../pdf-core/geometry/matrix'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { Font } from './fonts/font'
import { EVERYWHERE } from './geometry/geometry'
import type { Bounds } from './geometry/geometry'

/** The part of the graphics state (ISO 32000-2, 8.4) that determines positions. `q` copies it. */
export interface GraphicsState {
  /** Maps to default user space of the page. */
  matrix: Matrix
  /** Bounds of the clipping path, in default user space of the page. */
  clip: Bounds
  lineWidth: number
  /** 0 is the miter join. */
  lineJoin: number
  miterLimit: number
  isDashed: boolean
  font: Font | undefined
  /** The resource name of the font. Undefined if a graphics state parameter dictionary set the font. */
  fontName: string | undefined
  fontSize: number
  characterSpacing: number
  wordSpacing: number
  /** 1 for 100 %. */
  horizontalScale: number
  leading: number
  rise: number
  renderMode: number
  /** The current patterns, if they were set in this stream. */
  fillPattern: PatternUse | undefined
  strokePattern: PatternUse | undefined
}

/** An operator that sets a pattern, and whether the pattern is used. */
export interface PatternUse {
  start: number
  end: number
  isUsed: boolean
  /** Whether content painted with the pattern was removed, completely or in part. */
  isTouched: boolean
  /** The shading of the pattern. */
  shading?: PDFObject | undefined
}

/** The graphics state at the start of a page. */
export function initialState(): GraphicsState {
  return {
    matrix: IDENTITY,
    clip: EVERYWHERE,
    lineWidth: 1,
    lineJoin: 0,
    miterLimit: 10,
    isDashed: false,
    font: undefined,
    fontName: undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    horizontalScale: 1,
    leading: 0,
    rise: 0,
    renderMode: 0,
    fillPattern: undefined,
    strokePattern: undefined,
  }
}
