import type { PDFRef } from 'pdf-lib'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import type { PdfDocument } from '../../../pdf/document'
import type { Box } from '../../../pdf/geometry'
import { writeNumbers, writeRounded } from '../../../pdf/syntax'
import type { PagePair, TextChange } from '../model'
import { joinQuads } from '../wording/page-words'
import type { Quad } from '../wording/page-words'
import { addTo } from '../../../map-entries'

/** The kind of change that a mark shows. */
export type MarkKind = 'removed' | 'inserted' | 'moved' | 'visual'

/** The colors of marks. */
export const MARK_COLORS: Record<MarkKind, Color> = {
  removed: { r: 220, g: 38, b: 38 },
  inserted: { r: 22, g: 163, b: 74 },
  moved: { r: 37, g: 99, b: 235 },
  visual: { r: 217, g: 119, b: 6 },
}

/** Opacity of the color over marked words. */
const MARK_OPACITY = 0.35

/** Thickness of lines through words, as a multiple of their height, and of outlines in points. */
const STRIKE = 0.06
const OUTLINE_PT = 1.25

/** Distance in points between an outline and its area. */
const OUTLINE_GAP_PT = 2

const states = new WeakMap<PdfDocument, PDFRef>()

/** The graphics state for marked words: transparent, and multiplied with the content below. */
export function markState(document: PdfDocument): PDFRef {
  const existing = states.get(document)
  if (existing) return existing
  document.saving.addedFeatures.add('transparency')
  const state = document.register(
    document.context.obj({ Type: 'ExtGState', ca: MARK_OPACITY, CA: MARK_OPACITY, BM: 'Multiply' }),
  )
  states.set(document, state)
  return state
}

/** Areas on one page of a pair, by the kind of their mark. */
export type PageMarks = { kind: MarkKind; quads: Quad[]; boxes: Box[] }[]

/** The marks of all pairs by page, for the pages of each file. */
export interface Marks {
  before: ReadonlyMap<number, PageMarks>
  after: ReadonlyMap<number, PageMarks>
}

/** Collects the marks of all pages, by position in their document. Inserted and removed pages get no marks. */
export function collectMarks(pairs: readonly PagePair[]): Marks {
  const marks = { before: new Map<number, PageMarks>(), after: new Map<number, PageMarks>() }
  for (const { text, visual, before, after } of pairs) {
    for (const change of text) addText(marks, change)
    const areas = [...visual, ...text.flatMap(change => change.areas)]
    if (areas.length === 0) continue
    if (before) addTo(marks.before, before.index, { kind: 'visual', quads: [], boxes: areas.map(area => area.before) })
    if (after) addTo(marks.after, after.index, { kind: 'visual', quads: [], boxes: areas.map(area => area.after) })
  }
  return marks
}

function addText(
  marks: Record<'before' | 'after', Map<number, PageMarks>>,
  { kind, removed, inserted }: TextChange,
): void {
  const isMoved = kind === 'moved'
  if (removed)
    addTo(marks.before, removed.page, {
      kind: isMoved ? 'moved' : 'removed',
      quads: joinQuads(removed.words),
      boxes: [],
    })
  if (inserted)
    addTo(marks.after, inserted.page, {
      kind: isMoved ? 'moved' : 'inserted',
      quads: joinQuads(inserted.words),
      boxes: [],
    })
}

/** The operators that draw marks, in points from the lower-left corner of the displayed page. */
export function drawMarks(marks: PageMarks, stateName: string): string {
  return marks
    .map(({ kind, quads, boxes }) =>
      [
        ...(quads.length ? [fillQuads(quads, kind, stateName)] : []),
        ...(kind === 'removed' ? quads.map(strike) : []),
        ...boxes.map(box => outline(box, MARK_COLORS[kind])),
      ].join('\n'),
    )
    .join('\n')
}

/** Fills the areas of words with a color. All areas are one path, so that overlaps aren't darker. */
export function fillQuads(quads: readonly Quad[], kind: MarkKind, stateName: string): string {
  return `q\n/${stateName} gs\n${writeColor(MARK_COLORS[kind], 'rg')}\n${quads.map(pathOf).join('\n')}\nf\nQ`
}

function pathOf([x1, y1, x2, y2, x3, y3, x4, y4]: Quad): string {
  return `${point(x1, y1)} m ${point(x2, y2)} l ${point(x3, y3)} l ${point(x4, y4)} l h`
}

function strike([x1, y1, x2, y2, x3, y3, x4, y4]: Quad): string {
  const height = Math.hypot(x4 - x1, y4 - y1)
  // The middle of lowercase letters is a little below the middle of the area.
  const share = 0.45
  const [startX, startY] = [x1 + (x4 - x1) * share, y1 + (y4 - y1) * share]
  const [endX, endY] = [x2 + (x3 - x2) * share, y2 + (y3 - y2) * share]
  return (
    `${writeColor(MARK_COLORS.removed, 'RG')} ${writeRounded(Math.max(0.5, height * STRIKE))} w ` +
    `${point(startX, startY)} m ${point(endX, endY)} l S`
  )
}

/** Draws a rectangle around an area. */
export function outline({ x, y, width, height }: Box, color: Color): string {
  const gap = OUTLINE_GAP_PT
  const box = [x - gap, y - gap, width + 2 * gap, height + 2 * gap].map(value => Math.round(value * 100) / 100)
  return `${writeColor(color, 'RG')} ${OUTLINE_PT} w ${writeNumbers(box)} re S`
}

function point(x: number, y: number): string {
  return `${writeRounded(x)} ${writeRounded(y)}`
}
