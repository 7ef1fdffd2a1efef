import { PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { rotationOf } from './frame'
import type { Page } from './page-tree'

const MEDIA_BOX = PDFName.of('MediaBox')
const CROP_BOX = PDFName.of('CropBox')

/** US Letter, as readers take pages without a box. */
const NO_BOX = { x: 0, y: 0, width: 612, height: 792 }

interface Area {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Width and height of the page as it is seen, in units of its own space (points, unless it has a /UserUnit): of the part
 * of its CropBox that lies inside of the MediaBox (ISO 32000-2, 14.11.2), turned as viewers turn it.
 */
export function sizeAsSeen(document: PdfDocument, page: Page): { width: number; height: number } {
  const media = readArea(document, page.attribute(MEDIA_BOX)) ?? NO_BOX
  const crop = readArea(document, page.attribute(CROP_BOX))
  const { width, height } = (crop && overlap(media, crop)) ?? media
  return rotationOf(document, page) % 180 === 0 ? { width, height } : { width: height, height: width }
}

function readArea(document: PdfDocument, value: PDFObject | undefined): Area | undefined {
  const numbers = document.peekArray(value)?.asArray().slice(0, 4).map(number => document.peekNumber(number))
  const [left, bottom, right, top] = numbers ?? []
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined
  const area = { x: Math.min(left, right), y: Math.min(bottom, top), width: Math.abs(right - left), height: Math.abs(top - bottom) }
  return area.width > 0 && area.height > 0 ? area : undefined
}

function overlap(a: Area, b: Area): Area | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)]
  const area = { x, y, width: Math.min(a.x + a.width, b.x + b.width) - x, height: Math.min(a.y + a.height, b.y + b.height) - y }
  return area.width > 0 && area.height > 0 ? area : undefined
}
