import { intersectBoxes } from '../geometry/box'
import type { Box } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { measureFrame } from '../geometry/frame'
import type { Frame } from '../geometry/frame'
import type { PixelBox } from './ink'
import { ifDrawable, visitPages } from './render'
import type { RenderOptions } from './render'
import { searchInk } from './search-ink'

/** The resolution is high enough for margins: one pixel is half a point. */
const DRAWING: Omit<RenderOptions, 'color'> = { dpi: 144, leastDpi: 0, annotations: true }

interface Fitting {
  /** Padding around the content in points. */
  paddingPt: number
  /** Whether all pages use one box around the content of all pages. */
  isUniform: boolean
  /** Minimum size of a box on each side, in points. */
  leastPt: number
}

/**
 * Finds the boxes of the visible content on pages at these positions (from 0), by position. Boxes are in points from
 * the lower-left corner of the displayed page, and lie inside the page. Blank pages and pages that can't be drawn have
 * no box.
 */
export async function findContentBoxes(
  document: PdfDocument,
  indexes: Iterable<number>,
  { paddingPt, isUniform, leastPt }: Fitting,
): Promise<Map<number, Box>> {
  const found: { index: number; frame: Frame; contentBox: Box }[] = []
  let commonBox: Box | undefined
  for await (const { index, renderer } of visitPages(document, indexes)) {
    const page = document.pages[index]
    if (!page) continue
    const frame = measureFrame(document, page)
    const contentBox = ifDrawable(() =>
      renderer.searchInk(index, DRAWING, ({ size, likely }, boxInk) => {
        // If all pages get the same box, only content outside of the current box matters.
        const ink = searchInk(size, boxInk, {
          inside: isUniform && commonBox ? toPixels(commonBox, size, frame) : undefined,
          likely,
        })
        return ink && toPoints(ink, size, frame)
      }),
    )
    if (!contentBox) continue
    found.push({ index, frame, contentBox })
    commonBox = commonBox ? joinBoxes(commonBox, contentBox) : contentBox
  }
  const boxes = new Map<number, Box>()
  for (const { index, frame, contentBox } of found) {
    const box = intersectBoxes(grow((isUniform && commonBox) || contentBox, paddingPt, leastPt), {
      x: 0,
      y: 0,
      width: frame.width,
      height: frame.height,
    })
    if (box && box.width >= leastPt && box.height >= leastPt) boxes.set(index, box)
  }
  return boxes
}

interface Size {
  width: number
  height: number
}

/** Converts pixels to points from the lower-left corner of the displayed page. `frame` is the page size in points. */
function toPoints({ left, top, right, bottom }: PixelBox, size: Size, frame: Size): Box {
  const [across, up] = [frame.width / size.width, frame.height / size.height]
  return {
    x: left * across,
    y: (size.height - bottom) * up,
    width: (right - left) * across,
    height: (bottom - top) * up,
  }
}

/** The pixels that lie completely inside a box, give or take one. */
function toPixels({ x, y, width, height }: Box, size: Size, frame: Size): PixelBox {
  const [across, up] = [size.width / frame.width, size.height / frame.height]
  return {
    left: Math.ceil(x * across),
    right: Math.floor((x + width) * across),
    top: Math.ceil(size.height - (y + height) * up),
    bottom: Math.floor(size.height - y * up),
  }
}

function joinBoxes(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

function grow({ x, y, width, height }: Box, paddingPt: number, leastPt: number): Box {
  const across = Math.max(paddingPt, (leastPt - width) / 2)
  const up = Math.max(paddingPt, (leastPt - height) / 2)
  return { x: x - across, y: y - up, width: width + 2 * across, height: height + 2 * up }
}
