import type { LinePiece, LineRun } from './line-runs'

/**
 * Boxes are as wide as a multiple of this, in points, and of twice, three times this in type of more than 12, 24
 * points.
 */
export const WIDTH_STEP_PT = 72
const STEP_TYPE_PT = 12

/** Gaps before and behind boxes are multiples of this part of the size of the type: what kerning adds is not kept. */
const GAP_SHARE = 0.1

/** How narrow words may become, in steps, so that a line ends with its column, and so that it ends at all. */
const NARROWER = 0.05
const NARROW = 0.7
const NARROWEST = 0.5

/** Where things of one line stand, in pixels from the left edge of the page as it is turned for the line. */
export interface LineLayout {
  /** How wide words are, of what they were. */
  scale: number
  pixelsPt: number
  pieces: PlacedPiece[]
  end: number
}

export interface PlacedPiece {
  piece: LinePiece
  /** The box. */
  left: number
  right: number
  /** Where the words behind it begin and end. */
  wordsLeft: number
  wordsRight: number
}

interface LineRoom {
  columnEnd: number
  mostEnd: number
  pixelsPt: number
}

/**
 * Sets a run of a line anew, so that nothing depends on how wide its areas were apart from the steps. `columnEnd` is
 * where it should end and `mostEnd` where it has to, in pixels; `pixelsPt` is how many pixels a point has.
 */
export function layOutLine({ pieces, size }: LineRun, { columnEnd, mostEnd, pixelsPt }: LineRoom): LineLayout {
  const stepPt = WIDTH_STEP_PT * Math.max(1, Math.ceil(size / STEP_TYPE_PT - 0.05))
  const set = (scale: number, boxShare = 1): LineLayout => place(pieces, { scale, boxShare, stepPt, pixelsPt })
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

function place(pieces: readonly LinePiece[], { scale, boxShare, stepPt, pixelsPt }: Measures): LineLayout {
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

/** A gap in pixels. Letters may reach over their own room, but not into a box. */
function gap(widthPt: number, sizePt: number, { scale, pixelsPt }: { scale: number; pixelsPt: number }): number {
  const unit = sizePt * GAP_SHARE
  return Math.max(1, Math.round(Math.max(0, Math.round(widthPt / unit)) * unit * scale * pixelsPt))
}
