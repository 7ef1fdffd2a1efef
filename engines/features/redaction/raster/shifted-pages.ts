import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import { frameMatrix, writeBox } from '../../../pdf/geometry'
import type { PdfDocument } from '../../../pdf/document'
import type { Frame } from '../../../pdf/geometry'
import { Page, setPages } from '../../../pdf/document'
import { reopenDocument } from '../../../pdf/open'
import * as Name from '../../../pdf/names'

const name = (text: string): PDFName => PDFName.of(text)
const [MEDIA_BOX, CROP_BOX, ROTATE] = [Name.MediaBox, Name.CropBox, Name.Rotate]

/** Page entries that aren't needed to render the page without its annotations. */
const LEFT_OUT = new Set(['Annots', 'StructParents', 'Parent', 'B', 'AA', 'Thumb', 'PieceInfo', 'Metadata'].map(name))

/** A page to render with its content moved. */
export interface ShiftedPage {
  /** The position of the page, from 0. */
  index: number
  /** The frame of the page, with its rotation. */
  frame: Frame
  /** The position of the new left edge on the rotated page, in points. */
  left: number
}

/** Returns a copy of a document with only these pages, in this order, for rendering. */
export function createShiftedPages(document: PdfDocument, shifted: readonly ShiftedPage[]): PdfDocument {
  const copy = reopenDocument(document)
  const pages = shifted.flatMap(({ index, frame, left }) => {
    const page = copy.pages[index]
    if (!page) return []
    const dict = PDFDict.fromMapWithContext(
      new Map(page.dict.entries().filter(([key]) => !LEFT_OUT.has(key))),
      copy.context,
    )
    const [a, b] = frameMatrix(frame)
    const box = writeBox(copy, { ...frame.visible, x: frame.visible.x + a * left, y: frame.visible.y + b * left })
    dict.set(MEDIA_BOX, box)
    dict.set(CROP_BOX, box)
    dict.set(ROTATE, PDFNumber.of(frame.rotation))
    return [new Page(copy, copy.register(dict), page.inherited)]
  })
  setPages(copy, pages)
  return copy
}
