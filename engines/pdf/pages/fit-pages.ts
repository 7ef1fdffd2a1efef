import { PDFNumber } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { frameMatrix, measureFrame, seenMatrix } from '../geometry/frame'
import type { Frame } from '../geometry/frame'
import { chainMatrices } from '../geometry/matrix'
import type { Page } from '../document/page-tree'
import type { PageSize } from '../../options/page-sizes'
import { transformPages } from './transform-page'
import type { Placement } from './transform-page'
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'

/** Pages within this tolerance of the size don't change. Many programs write A4 as 595 × 842. */
const SLACK_PT = 0.5

/** Largest side of a page in user space units that all readers support (ISO 32000-2, annex C). */
const MOST_UNITS = 14_400

/**
 * Scales every page and its content to a size in points. Keeps the proportions and centers the content. Pages that
 * display as landscape get the size as landscape, all others as portrait. Content outside the old page area stays
 * hidden.
 */
export function fitPages(document: PdfDocument, size: PageSize): void {
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)]
  const userUnit = Math.max(1, Math.ceil(long / MOST_UNITS))
  const placements = new Map<Page, Placement>()
  for (const page of document.pages) {
    const frame = measureFrame(document, page)
    const [width, height] = frame.width > frame.height ? [long, short] : [short, long]
    const hasSize = Math.abs(frame.width - width) <= SLACK_PT && Math.abs(frame.height - height) <= SLACK_PT
    if (!hasSize) placements.set(page, placeOn(frame, { width, height, userUnit }))
  }
  if (placements.size === 0) return
  dropXfa(document)
  transformPages(document, placements)
  for (const page of placements.keys()) {
    if (userUnit > 1) document.edit(page.ref).set(Name.UserUnit, PDFNumber.of(userUnit))
    else if (page.dict.has(Name.UserUnit)) document.edit(page.ref).delete(Name.UserUnit)
  }
}

function placeOn(frame: Frame, { width, height, userUnit }: PageSize & { userUnit: number }): Placement {
  const isTurned = frame.rotation % 180 !== 0
  const [across, up] = isTurned ? [height / userUnit, width / userUnit] : [width / userUnit, height / userUnit]
  const box = { x: 0, y: 0, width: across, height: up }
  const scale = Math.min(width / frame.width, height / frame.height)
  const [left, bottom] = [(width - frame.width * scale) / 2, (height - frame.height * scale) / 2]
  const onSheet = chainMatrices(seenMatrix(frame), [scale, 0, 0, scale, left, bottom])
  return { matrix: chainMatrices(onSheet, frameMatrix({ ...frame, userUnit, visible: box })), box, clip: frame.visible }
}
