import type { PDFObject } from 'pdf-lib'
import type { Matrix } from '../../geometry/matrix'
import type { Bounds, Quad } from '../../geometry/geometry'

/**
 * Kind of a content element: a text-showing operation (`run`) and each of its glyphs, a painted path and its segments,
 * a clipping path, an image, a form XObject, a shading.
 */
export type ElementKind = 'run' | 'glyph' | 'path' | 'segment' | 'clip' | 'image' | 'form' | 'shading'

/** An element of a page's content. All coordinates are in default user space of the page. */
export interface Element {
  kind: ElementKind
  bounds: Bounds
  /** The corners of the element if it is a rectangle, which may be rotated. */
  quad?: Quad
  /** The visible area at this point of the content. The element may extend beyond it. */
  clip: Bounds
  /** For text, the height of one em. Otherwise 0. */
  em: number
  /** Text rendering mode (ISO 32000-2, table 104). Mode 3 is invisible. Undefined if the element isn't text. */
  renderMode?: number
  /** The character codes of a run, one Latin-1 character for each byte. Only set if the filter has `readsCodes`. */
  codes?: string
  /** Position of a glyph's baseline, as a fraction of its height. Undefined if it isn't known. */
  baseline?: number
}

/** `cut` means to decide on the parts: glyphs, segments, pixels, or content of a form. Parts that can't be cut stay. */
export type Verdict = 'keep' | 'remove' | 'cut'

/** The pixels of an image that stay. Rows count from the top. All other pixels are overwritten. */
export interface PixelCut {
  left: number
  top: number
  width: number
  height: number
  /** Parts inside this rectangle in which pixels are overwritten too. */
  cleared: readonly ClearedPart[]
  /** Pixels around the rectangle that may stay if this avoids decoding the image. 0 if none may. */
  slackPixels: number
  /** Distance around the rectangle in which its border pixels are repeated. */
  bleedPixels: number
}

/** A part of an image in which pixels are overwritten. Rows count from the top. `right` and `bottom` are exclusive. */
export interface ClearedPart {
  left: number
  top: number
  right: number
  bottom: number
  isCleared(x: number, y: number): boolean
}

/** Decides which parts of a page's content stay. */
export interface ContentFilter {
  /** Two filters with the same key make the same decisions. */
  readonly key: string
  /** A rectangle that contains all visible content that stays. Undefined if there is none. */
  readonly area: Bounds | undefined
  /** Rectangles to cut out of paths. Undefined if all content to remove lies outside of `area`. */
  readonly holes?: readonly Bounds[]
  /** Whether runs need their character codes. */
  readonly readsCodes?: boolean
  decide(element: Element): Verdict
  /**
   * Returns whether to remove content of a layer, whatever `decide` returns. If defined, layer marks are removed too.
   */
  hidesLayer?(layer: PDFObject | undefined): boolean
  /** The cut of an image for which `decide` returned `cut`. `matrix` maps the unit square of the image to the page. */
  cutImage(image: { matrix: Matrix; width: number; height: number }): PixelCut
  /**
   * The sides of the remaining area beyond which a part of a path lies, one bit for each side. 0 if it lies beyond
   * none. Parts beyond the same side can become one line without changing the fill of the rest.
   */
  sidesOf(bounds: Bounds): number
  /** Called if content that should be removed may stay, because it can't be taken apart. */
  doubt?(): void
}
