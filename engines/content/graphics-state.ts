import type { PDFObject } from 'pdf-lib'
import { IDENTITY } from '../pdf-core/geometry/matrix'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { Font } from './fonts/font'
import { EVERYWHERE } from './geometry/geometry'
import type { Bounds } from './geometry/geometry'

/** The part of the graphics state (ISO 32000-2, 8.4) that says where things are drawn; copied by `q`. */
export interface GraphicsState {
  /** To the user space of the page. */
  matrix: Matrix
  /** What the clipping path leaves at most, in the user space of the page. */
  clip: Bounds
  lineWidth: number
  /** 0 is the join that comes to a point. */
  lineJoin: number
  miterLimit: number
  isDashed: boolean
  font: Font | undefined
  /** The font as the content names it; undefined when a graphics state parameter dictionary set it. */
  fontName: string | undefined
  fontSize: number
  characterSpacing: number
  wordSpacing: number
  /** 1 for 100 %. */
  horizontalScale: number
  leading: number
  rise: number
  renderMode: number
  /** The patterns that paint now, where they were set in this stream. */
  fillPattern: PatternUse | undefined
  strokePattern: PatternUse | undefined
}

/** An operator that sets a pattern, and whether anything that stays is painted with it. */
export interface PatternUse {
  start: number
  end: number
  isUsed: boolean
  /** Whether something painted with it went, or a part of it. */
  isTouched: boolean
  /** The shading that it paints with. */
  shading?: PDFObject | undefined
}

/** The state at the beginning of a page. */
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
