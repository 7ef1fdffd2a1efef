import type { Bounds, Frame } from '../../../pdf/geometry'
import type { PdfDocument } from '../../../pdf/document'
import { frameMatrix, mapPoint, toSeen, toUserSpace } from '../../../pdf/geometry'
import type { PlacedWord } from '../../../pdf/rewrite-content'
import type { PageReader } from '../../../pdf/read-page'
import { openRenderer } from '../../../pdf/render'
import type { Bitmap, PdfiumRenderer } from '../../../pdf/render'
import type { PageAreas } from '../areas/areas'
import { layOutLine } from './line-layout'
import type { LineLayout, PlacedPiece } from './line-layout'
import { backgroundOf, fillRows, findInk, pasteNarrower, rotateBitmap } from './line-pixels'
import type { PixelBox } from './line-pixels'
import { findLineRuns } from './line-runs'
import type { LinePiece, LineRun } from './line-runs'
import { setBox } from '../areas/move-area'
import { roundSlanted } from './round-slanted'
import { findAnnotationBounds } from '../related/remaining-annotations'
import { addScannedWords } from './scanned-words'
import { createShiftedPages } from './shifted-pages'
import type { ShiftedPage } from './shifted-pages'

/**
 * The left position of moved words on the shifted page from which they are rendered, in points. The position is
 * constant, so that every word begins at the same part of a pixel.
 */
const LEAD_PT = 8

/** How far letters extend beyond the advance width of their word, in ems. */
const OVERHANG = 0.12

/** The free space at the edge of a page, and between a line and the next content after it, in points. */
const PAGE_EDGE_PT = 9
const CLEAR_PT = 2

/** The right margin of a line if no other line shows where the column ends, in points. */
const MARGIN_PT = 36

/**
 * Lays out lines with areas again, so that neither the boxes nor the words after them reveal the widths of removed
 * words. The widths of boxes are multiples of a step. The words after them are rendered again and pasted at whole
 * pixels.
 */
export class WidthEqualizer {
  private constructor(
    private readonly runs: ReadonlyMap<PageAreas, LineRun[]>,
    private readonly shifts: ReadonlyMap<LinePiece, number>,
    private readonly renderer: PdfiumRenderer | undefined,
  ) {}

  /** Finds the lines with areas. Throws EngineError like `openRenderer`. */
  static async open(document: PdfDocument, reader: PageReader, pages: readonly PageAreas[]): Promise<WidthEqualizer> {
    const runs = new Map<PageAreas, LineRun[]>()
    const shifts = new Map<LinePiece, number>()
    const shifted: ShiftedPage[] = []
    for (const page of pages) {
      const lineRuns = page.areas.length > 0 ? findLineRuns(page.frame, page.areas, reader.readWords(page.index)) : []
      const annotationBounds = lineRuns.length > 0 ? findAnnotationBounds(document, page.index) : []
      const movableRuns = lineRuns.flatMap(run => stopAt(run, annotationBounds) ?? [])
      runs.set(page, movableRuns)
      for (const { frame, pieces } of movableRuns) {
        for (const piece of pieces) {
          const [first] = piece.words
          if (first) shifts.set(piece, shifted.push({ index: page.index, frame, left: first.left - LEAD_PT }) - 1)
        }
      }
    }
    return new WidthEqualizer(
      runs,
      shifts,
      shifted.length > 0 ? await openRenderer(createShiftedPages(document, shifted)) : undefined,
    )
  }

  /**
   * Changes the image of a page, which must not have boxes yet, and the boxes of its areas. `words` must come from
   * `readWords`. Returns the words at their new positions, all at whole pixels. Throws EngineError `damaged`.
   */
  set(page: PageAreas, image: Bitmap, words: readonly PlacedWord[]): PlacedWord[] {
    const runs = this.runs.get(page) ?? []
    const placed = words.map(word => roundWord(word, image.dpi * page.frame.userUnit))
    const areasInRuns = new Set(runs.flatMap(({ pieces }) => pieces.flatMap(({ areas }) => areas)))
    roundSlanted(page, words, areasInRuns)
    for (const turn of new Set(runs.map(run => run.turn))) {
      const turned = rotateBitmap(image, turn)
      for (const run of runs) if (run.turn === turn) this.setRun(run, turned, { page, placed })
      if (turn !== 0) image.pixels.set(rotateBitmap(turned, 360 - turn).pixels)
    }
    return placed
  }

  close(): void {
    this.renderer?.close()
  }

  /**
   * Draws a line again with equal widths. `found` is the line as its text says, `fitted` has the rows of its ink, and
   * `run` also has words that only the pixels show. Moves the words and the areas of the page with it.
   */
  private setRun(found: LineRun, image: Bitmap, { page, placed }: { page: PageAreas; placed: PlacedWord[] }): void {
    const { frame } = found
    const [pixelsPt, pixelsUp] = [image.width / frame.width, image.height / frame.height]
    const left = clamp(Math.floor((found.pieces[0]?.left ?? 0) * pixelsPt), image.width)
    const ends = found.pieces.flatMap(({ right, words }) => [
      right,
      ...words.map(word => word.right + OVERHANG * word.size),
    ])
    const end = clamp(Math.max(...ends) * pixelsPt, image.width)
    const fitted = fitBand(found, image, { left, right: end })
    const rows = rowsOf(fitted, image)
    const background = backgroundOf(image, { ...rows, left, right: end })
    const behind = { ...rows, left: end, right: clamp((frame.width - PAGE_EDGE_PT) * pixelsPt, image.width) }
    const run = addScannedWords(fitted, image, behind, background)
    const isScanned = run !== fitted
    const lastEnd = isScanned ? Math.ceil((run.pieces.at(-1)?.words[0]?.right ?? 0) * pixelsPt) : end
    const free = findInk(image, { ...behind, left: lastEnd }, background)
    const before = isScanned ? { ...image, pixels: image.pixels.slice() } : image
    const mostEnd = Math.min(free, (run.stop ?? Infinity) * pixelsPt) - CLEAR_PT * pixelsPt
    const layout = layOutLine(run, {
      columnEnd: Math.min(mostEnd, (run.columnEnd ?? frame.width - MARGIN_PT) * pixelsPt),
      mostEnd,
      pixelsPt,
    })
    fillRows(image, { ...rows, left, right: clamp(Math.max(lastEnd, layout.end), image.width) }, background)
    for (const piece of layout.pieces) {
      if (isScanned && piece.piece === run.pieces.at(-1)) pasteScanned(image, before, { piece, layout, rows })
      else this.paste(image, piece, { run, layout, rows })
      moveWords(piece, { frame, scale: layout.scale, pixelsPt, pixelsUp, placed })
      moveAreas(piece, { page, run, pixelsPt })
    }
  }

  /** Renders the words after a box again, from the shifted page, and pastes them at their new position. */
  private paste(
    image: Bitmap,
    { piece, wordsLeft }: PlacedPiece,
    { run, layout, rows }: { run: LineRun; layout: LineLayout; rows: Pick<PixelBox, 'top' | 'bottom'> },
  ): void {
    const [first, shift] = [piece.words[0], this.shifts.get(piece)]
    if (!first || shift === undefined || !this.renderer) return
    const end = Math.max(...piece.words.map(({ right, size }) => right + OVERHANG * size))
    const box = { x: 0, y: run.bottom, width: end - first.left + LEAD_PT, height: run.top - run.bottom }
    const drawn = this.renderer.inspect(shift, { box, dpi: image.dpi, annotations: false }, (_characters, part) => part)
    const pixelsPt = image.width / run.frame.width
    const overhang = Math.round(Math.min(LEAD_PT, OVERHANG * first.size) * pixelsPt)
    const part = {
      left: Math.round(LEAD_PT * pixelsPt) - overhang,
      right: drawn.image.width,
      top: Math.max(0, rows.top - drawn.top),
      bottom: Math.min(drawn.image.height, rows.bottom - drawn.top),
    }
    pasteNarrower(image, drawn.image, {
      part,
      at: wordsLeft - Math.round(overhang * layout.scale),
      rowOffset: drawn.top,
      scale: layout.scale,
    })
  }
}

/** Returns the rows of pixels between two heights in points. */
function rowsOf(
  { frame, bottom, top }: Pick<LineRun, 'frame' | 'bottom' | 'top'>,
  { height }: Bitmap,
): { top: number; bottom: number } {
  const pixelsUp = height / frame.height
  return {
    top: clamp((frame.height - top) * pixelsUp, height),
    bottom: clamp((frame.height - bottom) * pixelsUp, height),
  }
}

/** Returns the run with its rounded height, or with the exact height of its areas if ink is in the way. */
function fitBand(run: LineRun, image: Bitmap, columns: Pick<PixelBox, 'left' | 'right'>): LineRun {
  const { exact, frame, bottom, top } = run
  if (!exact) return run
  const strips = [
    { frame, bottom: exact.top, top },
    { frame, bottom, top: exact.bottom },
  ].map(strip => ({ ...columns, ...rowsOf(strip, image) }))
  return strips.some(strip => findInk(image, strip, backgroundOf(image, strip)) < columns.right)
    ? { ...run, ...exact }
    : run
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(value)))
}

/** Returns the run, limited by the next annotation. Returns undefined if an annotation overlaps the moved words. */
function stopAt(run: LineRun, standing: readonly Bounds[]): LineRun | undefined {
  const boxes = standing.map(({ left, bottom, right, top }) => {
    return toSeen(run.frame, { x: left, y: bottom, width: right - left, height: top - bottom })
  })
  const start = run.pieces[0]?.left ?? 0
  const end = Math.max(...run.pieces.flatMap(({ right, words }) => [right, ...words.map(word => word.right)]))
  const inBand = boxes.filter(({ x, y, width, height }) => x + width > start && y < run.top && y + height > run.bottom)
  if (inBand.some(({ x }) => x < end)) return undefined
  return { ...run, stop: inBand.length > 0 ? Math.min(...inBand.map(({ x }) => x)) : undefined }
}

/** Pastes the scanned words after a box, copied as pixels from the original image. */
function pasteScanned(
  image: Bitmap,
  before: Bitmap,
  {
    piece: { piece, wordsLeft },
    layout,
    rows,
  }: { piece: PlacedPiece; layout: LineLayout; rows: Pick<PixelBox, 'top' | 'bottom'> },
): void {
  const [word] = piece.words
  const pixelsPt = layout.pixelsPt
  if (!word) return
  const part = { ...rows, left: Math.round(word.left * pixelsPt), right: Math.round(word.right * pixelsPt) }
  pasteNarrower(image, before, { part, at: wordsLeft, rowOffset: 0, scale: layout.scale })
}

interface WordPositions {
  frame: Frame
  scale: number
  pixelsPt: number
  pixelsUp: number
  placed: PlacedWord[]
}

function moveWords(
  { piece, wordsLeft }: PlacedPiece,
  { frame, scale, pixelsPt, pixelsUp, placed }: WordPositions,
): void {
  const [first] = piece.words
  for (const { index, left, right, baseline } of piece.words) {
    const word = placed[index]
    if (!first || !word) continue
    const at = wordsLeft + Math.round((left - first.left) * pixelsPt * scale)
    const [x, y] = mapPoint(frameMatrix(frame), at / pixelsPt, Math.round(baseline * pixelsUp) / pixelsUp)
    placed[index] = {
      ...word,
      x,
      y,
      length: Math.max(1, Math.round((right - left) * pixelsPt * scale)) / pixelsPt / frame.userUnit,
    }
  }
}

/**
 * Assigns the box of a piece, as high as its line, to one of the areas. The other areas of the piece lose their box.
 */
function moveAreas(
  { piece, left, right }: PlacedPiece,
  { page, run: { frame, bottom, top }, pixelsPt }: { page: PageAreas; run: LineRun; pixelsPt: number },
): void {
  const turned = { x: left / pixelsPt, y: bottom, width: (right - left) / pixelsPt, height: top - bottom }
  const owner = piece.areas.find(({ replacementText }) => replacementText !== undefined) ?? piece.areas[0]
  for (const area of piece.areas)
    setBox(page.frame, area, toSeen(page.frame, toUserSpace(frame, turned)), area === owner)
}

/** Rounds the position and length of a word to whole pixels. */
function roundWord(word: PlacedWord, dpi: number): PlacedWord {
  const pixels = dpi / 72
  const round = (value: number): number => Math.round(value * pixels) / pixels
  return { ...word, x: round(word.x), y: round(word.y), length: Math.max(1 / pixels, round(word.length)) }
}
