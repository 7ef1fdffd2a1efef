import { numbers } from '../annotations/annotation-style'
import { isEngineError } from '../../errors'
import { openParagraph } from '../text/paragraph'
import type { Typesetter } from '../text/typesetter'
import type { TextLook } from './default-appearance'
import type { FieldFont, FieldLine } from './field-font'

/** Area and style for the text of a field. Lengths are in the units of its appearance. */
export interface TextSpace {
  font: FieldFont
  look: Pick<TextLook, 'sizePt' | 'color'>
  width: number
  height: number
  /** Width of the border on each side. Text is clipped there. */
  inset: number
  /** 0 is left, 1 is centered, 2 is right (ISO 32000-2, table 228). */
  quadding: number
  /** Called if text is clipped. */
  onCut(): void
}

/** Points by which text may exceed its field before it counts as cut off. This is the width of an antialiased edge. */
const CUT_FROM = 0.5

/** A line of text with its position. */
interface PlacedLine {
  shaped: FieldLine
  x: number
  y: number
  sizePt: number
  /** Horizontal scaling factor of a line, at most 1. */
  condensed: number
}

/** Values of /Q (ISO 32000-2, table 228). */
const CENTERED = 1
const RIGHT = 2

/** Differences of widths from rounding, in points. */
const ROUNDING = 0.01

/** Text without a width counts as this wide, in points. */
const LEAST_WIDTH = 0.001

/** Limits for automatic font sizes, in points. */
const MIN_SIZE = 4
const MAX_SIZE = 144
const MAX_PARAGRAPH_SIZE = 12

/** Share of the field's height that text with an automatic size fills, as in common viewers. */
const AUTO_SHARE = 0.68

/**
 * Minimum horizontal scaling of text with a fixed size, or minimum size factor in several lines, before it is cut off.
 * Our glyphs are wider than those of Helvetica.
 */
const LEAST_SHARE = 0.85

const FULL = 1000

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Draws a single line, vertically centered. */
export function drawTextLine(text: string, space: TextSpace): string {
  const { font, look, width, height, quadding } = space
  const shaped = font.shape(text)
  const padding = paddingOf(space)
  const room = Math.max(width - 2 * padding, 1)
  const sizePt = look.sizePt || fitSize(shaped, room, height)
  const unscaledWidth = (shaped.width * sizePt) / FULL
  const condensed = unscaledWidth > room ? Math.max(LEAST_SHARE, room / unscaledWidth) : 1
  const drawnWidth = unscaledWidth * condensed
  // Overlong text shows its beginning.
  if (drawnWidth > width - 2 * space.inset + CUT_FROM) space.onCut()
  const startSide = shaped.isRightToLeft ? RIGHT : 0
  const x = padding + shiftFor(drawnWidth > room + ROUNDING ? startSide : quadding, room - drawnWidth)
  return drawLines([{ shaped, x, y: baselineFor(shaped, sizePt, space), sizePt, condensed }], space)
}

/** Draws lines from the top, wrapped at the width of the field. */
export async function drawParagraphs(text: string, space: TextSpace): Promise<string> {
  const { font, look, width, height, quadding } = space
  const padding = paddingOf(space)
  const [room, depth] = [Math.max(width - 2 * padding, 1), Math.max(height - 2 * padding, 1)]
  const paragraph = await openParagraph(font, text)
  const singleLine = font.shape(text.replaceAll('\n', ' '))
  const leading = (singleLine.ascent - singleLine.descent) / FULL
  const fits = (sizePt: number): boolean => paragraph.countLines((room * FULL) / sizePt) * leading * sizePt <= depth
  const sizePt = look.sizePt
    ? (listReducedSizes(look.sizePt).find(fits) ?? look.sizePt)
    : (listAutomaticSizes(MAX_PARAGRAPH_SIZE).find(fits) ?? MIN_SIZE)
  const lines = paragraph.layOut((room * FULL) / sizePt)
  const [line] = lines
  if (line && lines.length === 1 && leading * sizePt > depth)
    return drawTextLine(text, { ...space, look: { ...look, sizePt } })
  const top = height - padding - (singleLine.ascent / FULL) * sizePt
  if (top - (lines.length - 1) * leading * sizePt + (singleLine.descent / FULL) * sizePt < space.inset - CUT_FROM)
    space.onCut()
  const placed = lines.flatMap((shaped, index) => {
    const spare = room - (shaped.width * sizePt) / FULL
    const y = top - index * leading * sizePt
    // Lines below the field aren't drawn, because a long text may have thousands of them.
    if (y + sizePt < 0) return []
    return [{ shaped, x: padding + shiftFor(quadding, spare), y, sizePt, condensed: 1 }]
  })
  return drawLines(placed, space)
}

/** Draws each character in the center of its cell. */
export function drawComb(text: string, cells: number, space: TextSpace): string {
  const { font, look, width, height, quadding } = space
  const { isRightToLeft } = font.shape(text)
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (segments.length > cells) space.onCut()
  const letters = segments.slice(0, cells).map(segment => font.shape(segment))
  if (isRightToLeft) letters.reverse()
  const cell = width / cells
  const widest = letters.reduce((maxWidth, letter) => Math.max(maxWidth, letter.width), 1)
  const sizePt = look.sizePt || Math.max(MIN_SIZE, Math.min(AUTO_SHARE * height, MAX_SIZE, (cell * FULL) / widest))
  const spare = cells - letters.length
  const firstCell = Math.floor(shiftFor(isRightToLeft && quadding === 0 ? RIGHT : quadding, spare))
  const placed = letters.map((shaped, index) => {
    const unscaledWidth = (shaped.width * sizePt) / FULL
    const condensed = Math.max(LEAST_SHARE, Math.min(1, cell / Math.max(unscaledWidth, LEAST_WIDTH)))
    return {
      shaped,
      x: (firstCell + index + 0.5) * cell - (unscaledWidth * condensed) / 2,
      y: baselineFor(shaped, sizePt, space),
      sizePt,
      condensed,
    }
  })
  return drawLines(placed, space)
}

/** Returns the row height of a list, and the size and descent of its text. */
export function measureRow({ font, look }: Pick<TextSpace, 'font' | 'look'>): {
  sizePt: number
  rowHeight: number
  descent: number
} {
  const sizePt = look.sizePt || MAX_PARAGRAPH_SIZE
  const { ascent, descent } = font.metrics
  return { sizePt, rowHeight: ((ascent - descent) / FULL) * sizePt, descent: (-descent / FULL) * sizePt }
}

/** Draws rows of a list. */
export function drawRows(rows: readonly { text: string; y: number }[], space: TextSpace): string {
  const { sizePt } = measureRow(space)
  const padding = paddingOf(space)
  const room = space.width - 2 * padding
  const placed = rows.map(({ text, y }) => {
    const shaped = space.font.shape(text)
    const spare = room - (shaped.width * sizePt) / FULL
    return {
      shaped,
      x: padding + Math.max(0, shiftFor(space.quadding, spare)),
      y,
      sizePt,
      condensed: 1,
    }
  })
  return drawLines(placed, space)
}

/** The distance of text from the left edge of its room. `spare` is the room that the text leaves. */
function shiftFor(quadding: number, spare: number): number {
  if (quadding === CENTERED) return spare / 2
  return quadding === RIGHT ? spare : 0
}

/** Returns the padding. Acrobat uses twice the width of the border, and the same distance without a visible border. */
function paddingOf({ inset, width, height }: TextSpace): number {
  return Math.min(Math.max(2, 2 * inset), width / 4, height / 4)
}

function fitSize(shaped: FieldLine, room: number, height: number): number {
  const byHeight = Math.min(AUTO_SHARE * height, (height * FULL) / (shaped.ascent - shaped.descent))
  const byWidth = (room * FULL) / Math.max(shaped.width, 1)
  return Math.max(MIN_SIZE, Math.min(byHeight, byWidth, MAX_SIZE))
}

/** A fixed size and the smaller ones to which text may be reduced, the largest first. */
function listReducedSizes(sizePt: number): number[] {
  return [1, 0.96, 0.92, 0.88, LEAST_SHARE].map(share => share * sizePt)
}

/** The sizes from `sizePt` down to the smallest one, in steps of half a point. */
function listAutomaticSizes(sizePt: number): number[] {
  return Array.from({ length: (sizePt - MIN_SIZE) * 2 + 1 }, (_, index) => sizePt - index / 2)
}

/**
 * Returns the baseline that centers capital letters vertically. Moves it if taller or deeper glyphs would be cut off.
 */
function baselineFor({ ink }: FieldLine, sizePt: number, { font, height, inset, onCut }: TextSpace): number {
  const unit = sizePt / FULL
  const middle = (height - font.metrics.capHeight * unit) / 2
  if (!ink) return middle
  const lowest = inset - ink.bottom * unit
  const highest = height - inset - ink.top * unit
  if (lowest > highest + CUT_FROM) onCut()
  return lowest > highest ? (lowest + highest) / 2 : Math.min(Math.max(middle, lowest), highest)
}

function drawLines(lines: readonly PlacedLine[], { look, width, height, inset }: TextSpace): string {
  const shown = lines.map(line => ({ ...line, text: line.shaped.show(line.sizePt) })).filter(line => line.text !== '')
  if (shown.length === 0) return ''
  const texts = shown.map(
    ({ text, x, y, condensed }) =>
      `${condensed < 1 ? `${numbers(condensed * 100)} Tz` : '100 Tz'}\n1 0 0 1 ${numbers(x, y)} Tm\n${text}`,
  )
  return (
    `q\n${numbers(inset, inset, width - 2 * inset, height - 2 * inset)} re W ` +
    `n\nBT\n${look.color}\n${texts.join('\n').replaceAll('100 Tz\n', '')}\nET\nQ`
  )
}

/**
 * Returns the text without control characters. Replaces characters that no font has with a white square and sets
 * `isComplete` to `false`. This applies to values in the file. Values in a request are rejected instead.
 */
export function makeDrawable(text: string, typesetter: Typesetter): { text: string; isComplete: boolean } {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '')
  if (canShape(plain, typesetter)) return { text: plain, isComplete: true }
  return {
    text: Array.from(graphemes.segment(plain), ({ segment }) =>
      canShape(segment, typesetter) ? segment : '\u25a1',
    ).join(''),
    isComplete: false,
  }
}

function canShape(text: string, typesetter: Typesetter): boolean {
  try {
    typesetter.shape(text.replaceAll('\n', ' '))
    return true
  } catch (error) {
    if (isEngineError(error)) return false
    throw error
  }
}
