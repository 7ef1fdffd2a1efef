import { intersectBoxes } from '../pdf-core/geometry/box'
import type { Box } from '../pdf-core/geometry/box'
import type { Matrix } from '../pdf-core/geometry/matrix'
import { chainMatrices, mapBox } from '../pdf-core/geometry/matrix'
import type { Pdfium } from './pdfium'

/** FPDF_PAGEOBJ_*: types of page objects. */
const [TEXT, IMAGE, FORM] = [1, 3, 5]

/** Text rendering modes without visible glyphs: invisible, and clipping only (ISO 32000-2, table 104). */
const UNSEEN_MODES = new Set([3, 7])

/** Maximum number of page objects to check, and maximum nesting of form XObjects. */
const MAX_OBJECTS = 100_000
const MAX_FORM_DEPTH = 12

/** Only the first large images of a page are compared with text. `LEAST_SHARE` is their minimum share of the page. */
const MAX_IMAGES = 100
const LEAST_SHARE = 0.01

/** Minimum share of a text object that an image must cover to hide it. */
const COVERED = 0.8

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** Which text objects of a page are visible, and the share of the page that images cover. */
export interface Visibility {
  /** Text objects that are drawn without ink, or covered by an image. */
  unseen: Set<number>
  /** Text objects that are drawn with ink, even if an image covers them. */
  inked: Set<number>
  /** Share of the visible page that images cover, from 0 to 1. Overlapping parts count twice. */
  imageShare: number
}

interface PageObject {
  object: number
  /** Maps the space in which the object is drawn to the space of the page. */
  matrix: Matrix
  depth: number
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

/** The share of `whole` that a box covers. */
function shareOf(box: Box, whole: Box): number {
  const common = intersectBoxes(box, whole)
  return common ? (common.width * common.height) / (whole.width * whole.height) : 0
}

/** Walks the objects of a page in painting order. */
class Walk {
  private readonly texts: Placed[] = []
  private readonly images: Placed[] = []

  constructor(
    private readonly pdfium: Pdfium,
    private readonly place: number,
  ) {}

  through(page: number): { texts: Placed[]; images: Placed[] } {
    const { pdfium } = this
    const stack: PageObject[] = []
    this.push(stack, pdfium.FPDFPage_CountObjects(page), index => ({
      object: pdfium.FPDFPage_GetObject(page, index),
      matrix: IDENTITY,
      depth: 0,
    }))
    let order = 0
    for (let item = stack.pop(); item && order < MAX_OBJECTS; item = stack.pop()) {
      order++
      const kind = pdfium.FPDFPageObj_GetType(item.object)
      if (kind === FORM) this.open(item, stack)
      if (kind !== TEXT && (kind !== IMAGE || pdfium.FPDFPageObj_HasTransparency(item.object))) continue
      const box = this.boxOf(item)
      if (box) (kind === TEXT ? this.texts : this.images).push({ object: item.object, box, order })
    }
    return { texts: this.texts, images: this.images }
  }

  private open({ object, matrix, depth }: PageObject, stack: PageObject[]): void {
    const { pdfium } = this
    if (depth >= MAX_FORM_DEPTH || !pdfium.FPDFPageObj_GetMatrix(object, this.place)) return
    const formMatrix = chainMatrices([0, 4, 8, 12, 16, 20].map(at => this.float(at)) as Matrix, matrix) // six numbers
    this.push(stack, pdfium.FPDFFormObj_CountObjects(object), index => ({
      object: pdfium.FPDFFormObj_GetObject(object, index),
      matrix: formMatrix,
      depth: depth + 1,
    }))
  }

  /** Pushes objects so that the first one is on top of the stack. */
  private push(stack: PageObject[], count: number, find: (index: number) => PageObject): void {
    for (let index = Math.min(count, MAX_OBJECTS) - 1; index >= 0; index--) stack.push(find(index))
  }

  private boxOf({ object, matrix }: PageObject): Box | undefined {
    const { place } = this
    if (!this.pdfium.FPDFPageObj_GetBounds(object, place, place + 4, place + 8, place + 12)) return undefined
    const [left, bottom, right, top] = [this.float(0), this.float(4), this.float(8), this.float(12)]
    // A row of dots has no height but still a position.
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
