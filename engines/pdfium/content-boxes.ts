import { intersectBoxes } from '../pdf-core/box'
import type { Box } from '../pdf-core/box'
import type { PdfDocument } from '../pdf-core/document'
import { measureFrame } from '../pdf-core/frame'
import type { Frame } from '../pdf-core/frame'
import { boxInk } from './ink'
import { drawPages } from './render'
import type { Drawing } from './render'

/** Fine enough for margins: a pixel is half a point. */
const DRAWING: Drawing = { dpi: 144, leastDpi: 0, color: 'rgb', annotations: true }

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
export async function findContentBoxes(document: PdfDocument, indexes: Iterable<number>, { paddingPt, isUniform, leastPt }: Fitting): Promise<Map<number, Box>> {
  const found: { index: number; frame: Frame; own: Box }[] = []
  for await (const { index, picture } of drawPages(document, indexes, DRAWING)) {
    const page = document.pages[index]
    const frame = page && measureFrame(document, page)
    const own = frame && picture && boxInk(picture, frame)
    if (own) found.push({ index, frame, own })
  }
  const all = joinBoxes(found.map(({ own }) => own))
  const boxes = new Map<number, Box>()
  for (const { index, frame, own } of found) {
    const box = intersectBoxes(grow((isUniform && all) || own, paddingPt, leastPt), { x: 0, y: 0, width: frame.width, height: frame.height })
    if (box && box.width >= leastPt && box.height >= leastPt) boxes.set(index, box)
  }
  return boxes
}

function joinBoxes(boxes: Box[]): Box | undefined {
  return boxes.reduce<Box | undefined>((all, box) => {
    if (!all) return box
    const [x, y] = [Math.min(all.x, box.x), Math.min(all.y, box.y)]
    return { x, y, width: Math.max(all.x + all.width, box.x + box.width) - x, height: Math.max(all.y + all.height, box.y + box.height) - y }
  }, undefined)
}

function grow({ x, y, width, height }: Box, paddingPt: number, leastPt: number): Box {
  const across = Math.max(paddingPt, (leastPt - width) / 2)
  const up = Math.max(paddingPt, (leastPt - height) / 2)
  return { x: x - across, y: y - up, width: width + 2 * across, height: height + 2 * up }
}
