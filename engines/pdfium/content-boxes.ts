import { intersectBoxes } from '../pdf-core/geometry/box'
import type { Box } from '../pdf-core/geometry/box'
import type { PdfDocument } from '../pdf-core/document/document'
import { measureFrame } from '../pdf-core/geometry/frame'
import type { Frame } from '../pdf-core/geometry/frame'
import type { PixelBox } from './ink'
import { ifDrawable, visitPages } from './render'
import type { RenderOptions } from './render'
import { searchInk } from './search-ink'

/** Fine enough for margins: a pixel is half a point. */
const DRAWING: Omit<RenderOptions, 'color'> = { dpi: 144, leastDpi: 0, annotations: true }

interface Fitting {
  /** Points that stay around the content. */
  paddingPt: number
  /** Whether one box around the content of all pages is used for each. */
  isUniform: boolean
  /** Points that a box has at least on each side. */
  leastPt: number
}

/**
 * Boxes around what is visible on pages at these positions (from 0), by position: points from the lower-left corner of
 * the page as seen, and inside of it. Pages that are blank or can't be drawn have none, and don't count for the others.
 */
export async function findContentBoxes(
  document: PdfDocument,
  indexes: Iterable<number>,
  { paddingPt, isUniform, leastPt }: Fitting,
): Promise<Map<number, Box>> {
  const found: { index: number; frame: Frame; own: Box }[] = []
  let all: Box | undefined
  for await (const { index, renderer } of visitPages(document, indexes)) {
    const page = document.pages[index]
    if (!page) continue
    const frame = measureFrame(document, page)
    const own = ifDrawable(() =>
      renderer.searchInk(index, DRAWING, ({ size, likely }, boxInk) => {
        // Of pages that get the same box only what reaches out of it has to be known.
        const ink = searchInk(size, boxInk, {
          inside: isUniform && all ? toPixels(all, size, frame) : undefined,
          likely,
        })
        return ink && toPoints(ink, size, frame)
      }),
    )
    if (!own) continue
    found.push({ index, frame, own })
    all = all ? joinBoxes(all, own) : own
  }
  const boxes = new Map<number, Box>()
  for (const { index, frame, own } of found) {
    const box = intersectBoxes(grow((isUniform && all) || own, paddingPt, leastPt), {
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

/** From the lower-left corner of the page as seen, in points as `frame`. */
function toPoints({ left, top, right, bottom }: PixelBox, size: Size, frame: Size): Box {
  const [across, up] = [frame.width / size.width, frame.height / size.height]
  return {
    x: left * across,
    y: (size.height - bottom) * up,
    width: (right - left) * across,
    height: (bottom - top) * up,
  }
}

/** The pixels that lie wholly in a box, or one more on a side. */
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
