import type { PDFObject } from 'pdf-lib'
import { initialState } from '../walk/graphics-state'
import type { GraphicsState } from '../walk/graphics-state'
import { EVERYWHERE } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'

/** The graphics state, with what rewriting content needs. */
export interface RewriteState extends GraphicsState {
  /** Bounds of the clipping path, in default user space of the page. */
  clip: Bounds
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
export function initialRewriteState(): RewriteState {
  return { ...initialState(), clip: EVERYWHERE, fillPattern: undefined, strokePattern: undefined }
}
