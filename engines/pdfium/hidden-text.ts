import { intersectBoxes } from '../pdf-core/geometry/box'
import type { Box } from '../pdf-core/geometry/box'
import type { Matrix } from '../pdf-core/geometry/matrix'
import { chainMatrices, mapBox } from '../pdf-core/geometry/matrix'
import type { Pdfium } from './pdfium'

/** FPDF_PAGEOBJ_*: kinds of page objects. */
const [TEXT, IMAGE, FORM] = [1, 3, 5]

/**
 * Ways to draw text that leave nothing to see: not at all, or only as an edge to cut along (ISO 32000-2, table 104).
 */
const UNSEEN_MODES = new Set([3, 7])

/** Objects of a page that are looked at, and how deep forms may draw forms. */
const MAX_OBJECTS = 100_000
const MAX_FORM_DEPTH = 12

/** Pictures that are compared with the text under them: the first ones of a page, and no small ones. */
const MAX_IMAGES = 100
const LEAST_SHARE = 0.01

/** How much of a text a picture has to cover to hide it. */
const COVERED = 0.8

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** What of a page's text nobody sees, and how much of the page is pictures. */
export interface Visibility {
  /** Text objects that are drawn without ink, or under a picture. */
  unseen: Set<number>
  /** Text objects that are drawn with ink, whether a picture hides them or not. */
  inked: Set<number>
  /** The share of the visible page that pictures cover, 0 to 1; where they overlap they count twice. */
  imageShare: number
}

interface Found {
  object: number
  /** From the space that it is drawn in to that of the page. */
  matrix: Matrix
  depth: number
}

interface Placed {
  object: number
  box: Box
  order: number
}

/** Tells the text of a loaded page that is seen from what is not; `visible` is the part of user space that is shown. */
export function findHiddenText(pdfium: Pdfium, page: number, visible: Box): Visibility {
  const place = pdfium.pdfium.wasmExports.malloc(32)
  try {
    const { texts, images } = new Walk(pdfium, place).through(page)
    const large = images
      .map(image => ({ ...image, share: shareOf(image.box, visible) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .slice(0, MAX_IMAGES)
    const inked = new Set(
      texts
        .filter(({ object }) => !UNSEEN_MODES.has(pdfium.FPDFTextObj_GetTextRenderMode(object)))
        .map(({ object }) => object),
    )
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

/** How much of `whole` a box covers. */
function shareOf(box: Box, whole: Box): number {
  const common = intersectBoxes(box, whole)
  return common ? (common.width * common.height) / (whole.width * whole.height) : 0
}

/** Goes through the objects of a page in the order in which they are painted. */
class Walk {
  private readonly texts: Placed[] = []
  private readonly images: Placed[] = []

  constructor(
    private readonly pdfium: Pdfium,
    private readonly place: number,
  ) {}

  through(page: number): { texts: Placed[]; images: Placed[] } {
    const { pdfium } = this
    const stack: Found[] = []
    this.push(stack, pdfium.FPDFPage_CountObjects(page), index => ({
      object: pdfium.FPDFPage_GetObject(page, index),
      matrix: IDENTITY,
      depth: 0,
    }))
    let order = 0
    for (let found = stack.pop(); found && order < MAX_OBJECTS; found = stack.pop()) {
      order++
      const kind = pdfium.FPDFPageObj_GetType(found.object)
      if (kind === FORM) this.open(found, stack)
      if (kind !== TEXT && (kind !== IMAGE || pdfium.FPDFPageObj_HasTransparency(found.object))) continue
      const box = this.boxOf(found)
      if (box) (kind === TEXT ? this.texts : this.images).push({ object: found.object, box, order })
    }
    return { texts: this.texts, images: this.images }
  }

  private open({ object, matrix, depth }: Found, stack: Found[]): void {
    const { pdfium } = this
    if (depth >= MAX_FORM_DEPTH || !pdfium.FPDFPageObj_GetMatrix(object, this.place)) return
    const own = chainMatrices([0, 4, 8, 12, 16, 20].map(at => this.float(at)) as Matrix, matrix) // six numbers
    this.push(stack, pdfium.FPDFFormObj_CountObjects(object), index => ({
      object: pdfium.FPDFFormObj_GetObject(object, index),
      matrix: own,
      depth: depth + 1,
    }))
  }

  /** The first one on top. */
  private push(stack: Found[], count: number, find: (index: number) => Found): void {
    for (let index = Math.min(count, MAX_OBJECTS) - 1; index >= 0; index--) stack.push(find(index))
  }

  private boxOf({ object, matrix }: Found): Box | undefined {
    const { place } = this
    if (!this.pdfium.FPDFPageObj_GetBounds(object, place, place + 4, place + 8, place + 12)) return undefined
    const [left, bottom, right, top] = [this.float(0), this.float(4), this.float(8), this.float(12)]
    // A line of dots has no height, and still a place.
    return mapBox(matrix, {
      x: left,
      y: bottom,
      width: Math.max(right - left, 0.01),
      height: Math.max(top - bottom, 0.01),
    })
  }

  private float(at: number): number {
    return this.pdfium.pdfium.getValue(this.place + at, 'float')
  }
}
