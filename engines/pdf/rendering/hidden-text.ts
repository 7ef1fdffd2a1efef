import { intersectBoxes } from '../geometry/box'
import type { Box } from '../geometry/box'
import { mapBox } from '../geometry/matrix'
import { IMAGE, TEXT, boundsOf, visitObjects } from './page-objects'
import { isUnseen } from './page-text'
import type { Pdfium } from './pdfium/pdfium'

/** Only the first large images of a page are compared with text. `LEAST_SHARE` is their minimum share of the page. */
const MAX_IMAGES = 100
const LEAST_SHARE = 0.01

/** Minimum share of a text object that an image must cover to hide it. */
const COVERED = 0.8

/** Which text objects of a page are visible, and the share of the page that images cover. */
export interface Visibility {
  /** Text objects that are drawn without ink, or covered by an image. */
  unseen: Set<number>
  /** Text objects that are drawn with ink, even if an image covers them. */
  inked: Set<number>
  /** Share of the visible page that images cover, from 0 to 1. Overlapping parts count twice. */
  imageShare: number
}

interface Placed {
  object: number
  box: Box
  order: number
}

/** Separates visible from hidden text on a loaded page. `visible` is the visible part of user space. */
export function findHiddenText(pdfium: Pdfium, page: number, visible: Box): Visibility {
  const place = pdfium.pdfium.wasmExports.malloc(32)
  try {
    const { texts, images } = findPlaced(pdfium, page, place)
    const large = images
      .map(image => ({ ...image, share: shareOf(image.box, visible) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .slice(0, MAX_IMAGES)
    const inked = new Set(texts.filter(({ object }) => !isUnseen(pdfium, object)).map(({ object }) => object))
    const unseen = new Set(
      texts
        .filter(
          text =>
            !inked.has(text.object) ||
            large.some(image => image.order > text.order && shareOf(image.box, text.box) >= COVERED),
        )
        .map(({ object }) => object),
    )
    return {
      unseen,
      inked,
      imageShare: Math.min(
        1,
        large.reduce((sum, { share }) => sum + share, 0),
      ),
    }
  } finally {
    pdfium.pdfium.wasmExports.free(place)
  }
}

/** The share of `whole` that a box covers. */
function shareOf(box: Box, whole: Box): number {
  const common = intersectBoxes(box, whole)
  return common ? (common.width * common.height) / (whole.width * whole.height) : 0
}

/** The text objects and the opaque images of a page, in painting order. */
function findPlaced(pdfium: Pdfium, page: number, place: number): { texts: Placed[]; images: Placed[] } {
  const [texts, images]: [Placed[], Placed[]] = [[], []]
  let order = 0
  for (const { object, kind, matrix } of visitObjects(pdfium, page, place)) {
    order++
    if (kind !== TEXT && (kind !== IMAGE || pdfium.FPDFPageObj_HasTransparency(object))) continue
    const bounds = boundsOf(pdfium, object, place)
    if (!bounds) continue
    const [x, y, right, top] = bounds
    // A row of dots has no height but still a position.
    const box = mapBox(matrix, { x, y, width: Math.max(right - x, 0.01), height: Math.max(top - y, 0.01) })
    ;(kind === TEXT ? texts : images).push({ object, box, order })
  }
  return { texts, images }
}
