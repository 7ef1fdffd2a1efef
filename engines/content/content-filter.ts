import type { PDFObject } from 'pdf-lib'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { Bounds, Quad } from './geometry/geometry'

/**
 * What is asked about: a show operation and each of its glyphs, a painted path, a part of one, a clipping path, an
 * image, what a form draws, a shading.
 */
export type ElementKind = 'run' | 'glyph' | 'path' | 'segment' | 'clip' | 'image' | 'form' | 'shading'

/** Something that a page's content draws. All places are in the user space of the page. */
export interface Element {
  kind: ElementKind
  bounds: Bounds
  /** The corners, where the element is a rectangle that may be turned. */
  quad?: Quad
  /** What can be seen at this point of the content; the element may reach beyond it. */
  clip: Bounds
  /** The height of one em for text, 0 otherwise. */
  em: number
  /** How text is drawn (ISO 32000-2, table 104): 3 leaves nothing to see; missing for what is no text. */
  renderMode?: number
  /** The codes of a run as they stand in its strings, one Latin-1 character a byte; for deciders that read them. */
  codes?: string
  /** Where the baseline of a glyph runs, as a part of its height; missing where that is not known. */
  baseline?: number
}

/** `cut` asks about the parts: glyphs, segments, pixels, what a form holds. Parts that can't be cut stay. */
export type Verdict = 'keep' | 'remove' | 'cut'

/** Which pixels of an image stay; rows are counted from the top. All others are overwritten. */
export interface PixelCut {
  left: number
  top: number
  width: number
  height: number
  /** Where pixels of that part are overwritten too. */
  cleared: readonly ClearedPart[]
  /** Pixels that may stay beyond all this where that saves decoding the picture; 0 when none may. */
  slackPixels: number
  /** How far around that part its border is repeated in the place of what was there. */
  bleedPixels: number
}

/**
 * A part of an image in which pixels are overwritten; rows are counted from the top, `right` and `bottom` are outside.
 */
export interface ClearedPart {
  left: number
  top: number
  right: number
  bottom: number
  isCleared(x: number, y: number): boolean
}

/** Decides what stays of a page's content. */
export interface ContentFilter {
  /** Two deciders with the same key decide alike. */
  readonly key: string
  /** All that stays and can be seen lies in there; undefined when there is no such rectangle. */
  readonly area: Bounds | undefined
  /** Rectangles that are cut out of paths; missing where all that goes lies outside of `area`. */
  readonly holes?: readonly Bounds[]
  /** Whether runs are told with their codes. */
  readonly readsCodes?: boolean
  decide(element: Element): Verdict
  /** Whether what belongs to a layer goes, whatever else is decided. Marks of layers go where there is this. */
  hidesLayer?(layer: PDFObject | undefined): boolean
  /**
   * The cut of an image that the verdict `cut` was given on; `matrix` maps the unit square that it fills to the page.
   */
  cutImage(image: { matrix: Matrix; width: number; height: number }): PixelCut
  /**
   * The sides of what stays on which a part of a path wholly lies, one bit for each; 0 when it lies beyond none. Parts
   * that lie beyond the same side can be drawn as one line without changing how the rest is filled.
   */
  sidesOf(bounds: Bounds): number
  /** Told that something may stay which should go, because it can't be taken apart. */
  doubt?(): void
}
