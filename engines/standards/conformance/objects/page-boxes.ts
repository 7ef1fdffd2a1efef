import { PDFArray, PDFName } from 'pdf-lib'
import type { Examination } from '../examination/examination'
import { objectOf } from '../examination/model'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import type { Part } from './part'

/** A page boundary: its entry and its size. */
interface PageBox {
  key: string
  width: number
  height: number
}

/** Rules for page boundaries (ISO 32000-1, 14.11.2). */
const BOX_RULES: readonly Rule<PageBox>[] = [
  {
    in: inParts23('6.1.13-11'),
    message: 'Page boxes must be from 3 to 14,400 units wide and high.',
    check: ({ key, width, height }) =>
      [width, height].every(size => size >= 3 && size <= 14_400) ? undefined : `/${key} ${width} × ${height}`,
  },
]

const BOXES = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']
/** Boxes that pages inherit. */
const INHERITED = new Set(['MediaBox', 'CropBox'])

/** Checks the boxes of all pages. */
export class PageBoxes implements Part {
  constructor(private readonly examination: Examination) {}

  start(): void {
    const { examination } = this
    const { document } = examination
    if (!examination.has(BOX_RULES)) return
    for (const [index, page] of document.pages.entries()) {
      for (const key of BOXES) {
        const name = PDFName.of(key)
        const box = document.peek(INHERITED.has(key) ? page.attribute(name) : page.dict.get(name))
        if (!(box instanceof PDFArray)) continue
        const [left = 0, bottom = 0, right = 0, top = 0] = box.asArray().map(item => document.peekNumber(item) ?? 0)
        const size = { width: Math.abs(right - left), height: Math.abs(top - bottom) }
        examination.apply(BOX_RULES, { key, ...size }, { page: index + 1, object: objectOf(page.ref) ?? '' })
      }
    }
  }

  leaveUndecided(): void {
    this.examination.leaveUndecided(BOX_RULES)
  }
}
