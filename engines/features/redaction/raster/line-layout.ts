import type { LinePiece, LineRun } from './line-runs'

/**
 * The step of box widths in points. The step doubles for text larger than 12 points, triples for text larger than 24
 * points, and so on.
 */
export const WIDTH_STEP_PT = 72
const STEP_TYPE_PT = 12

/** The step of the gaps before and after boxes, in ems. Rounding removes the traces of kerning. */
const GAP_SHARE = 0.1

/**
 * The step in which words become narrower, and two minimum scales. `NARROW` makes a line end with its column, and
 * `NARROWEST` makes a line fit at all.
 */
const NARROWER = 0.05
const NARROW = 0.7
const NARROWEST = 0.5

/** The layout of one line, in pixels from the left edge of the page as it is rotated for the line. */
export interface LineLayout {
  /** The width of words relative to their original width. */
  scale: number
  pixelsPt: number
  pieces: PlacedPiece[]
  end: number
}

export interface PlacedPiece {
  piece: LinePiece
  /** The edges of the box. */
  left: number
  right: number
  /** The edges of the words after the box. */
  wordsLeft: number
  wordsRight: number
}

interface LineRoom {
  columnEnd: number
  mostEnd: number
  pixelsPt: number
}

/**
 * Lays out a run again, so that the widths of its areas only affect the number of steps. The run should end before
 * `columnEnd` and must end before `mostEnd`, both in pixels. `pixelsPt` is the number of pixels per point.
 */
export function layOutLine({ pieces, size }: LineRun, { columnEnd, mostEnd, pixelsPt }: LineRoom): LineLayout {
  const stepPt = WIDTH_STEP_PT * Math.max(1, Math.ceil(size / STEP_TYPE_PT - 0.05))
  const set = (scale: number, boxShare = 1): LineLayout => placePieces(pieces, { scale, boxShare, stepPt, pixelsPt })
  for (const [end, most, least] of [
    [columnEnd, 1, NARROW],
    [mostEnd, NARROW, NARROWEST],
  ] as const) {
    for (let scale: number = most; scale > least - NARROWER / 2; scale -= NARROWER) {
      const layout = set(scale)
      if (layout.end <= end) return layout
    }
  }
  const [full, none] = [set(NARROWEST), set(NARROWEST, 0)]
  const room = Math.max(0, mostEnd - none.end)
  return set(NARROWEST, Math.min(1, room / Math.max(1, full.end - none.end)))
}

interface Measures {
  scale: number
  boxShare: number
  stepPt: number
  pixelsPt: number
}

/** Places boxes and words from left to right. The width of a box is a whole number of steps, scaled by `boxShare`. */
function placePieces(pieces: readonly LinePiece[], { scale, boxShare, stepPt, pixelsPt }: Measures): LineLayout {
  let at = Math.floor((pieces[0]?.left ?? 0) * pixelsPt)
  const placed = pieces.map((piece, index): PlacedPiece => {
    const [first, last] = [piece.words[0], piece.words.at(-1)]
    const left = at
    const steps = piece.widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / stepPt - 1e-6)), 0)
    const least = first ? left + 1 : Math.ceil(piece.right * pixelsPt)
    const right = Math.max(least, left + Math.floor(steps * stepPt * pixelsPt * boxShare))
    if (!first || !last) {
      at = right
      return { piece, left, right, wordsLeft: right, wordsRight: right }
    }
    const end = Math.max(...piece.words.map(word => word.right))
    const wordsLeft = right + gap(first.left - piece.right, first.size, { scale, pixelsPt })
    const wordsRight = wordsLeft + Math.ceil((end - first.left) * pixelsPt * scale - 0.01)
    const next = pieces[index + 1]
    at = wordsRight + (next ? gap(next.left - end, last.size, { scale, pixelsPt }) : 0)
    return { piece, left, right, wordsLeft, wordsRight }
  })
  return { scale, pixelsPt, pieces: placed, end: at }
}

/** Returns a gap in pixels. The gap is at least 1 pixel, so that letters don't touch a box. */
function gap(widthPt: number, sizePt: number, { scale, pixelsPt }: { scale: number; pixelsPt: number }): number {
  const unit = sizePt * GAP_SHARE
  return Math.max(1, Math.round(Math.max(0, Math.round(widthPt / unit)) * unit * scale * pixelsPt))
}
