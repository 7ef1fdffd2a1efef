import { numbers } from '../pdf-core/annotations/annotation-style'
import { isEngineError } from '../errors'
import type { DocumentFonts } from '../text/document-fonts'
import { openParagraph } from '../text/paragraph'
import { showText } from '../text/show-text'
import type { NameFont } from '../text/show-text'
import { measureInk } from '../text/typesetter'
import type { ShapedText, Typesetter } from '../text/typesetter'
import type { TextLook } from './default-appearance'

/** Where and how the text of a field stands; lengths in the units of its appearance. */
export interface TextSpace {
  typesetter: Typesetter
  fonts: DocumentFonts
  nameFont: NameFont
  look: TextLook
  width: number
  height: number
  /** What the border takes of each side; text is cut off there. */
  inset: number
  /** 0 left, 1 in the middle, 2 right (ISO 32000-2, table 228). */
  quadding: number
  /** Called for text that is drawn cut off. */
  noteCut(): void
}

/**
 * Points by which text may reach over the edge of its field before it counts as cut off: no more than a smoothed edge.
 */
const CUT_FROM = 0.5

/** A line at its place. */
interface PlacedLine {
  shaped: ShapedText
  x: number
  y: number
  sizePt: number
  /** Share of its width to which a line is condensed. */
  condensed: number
}

/** What text of no size of its own may have, in points. */
const MIN_SIZE = 4
const MAX_SIZE = 144
const MAX_PARAGRAPH_SIZE = 12

/**
 * Share of a line's height that its text takes where the size follows from the field, as the common viewers have it.
 */
const AUTO_SHARE = 0.68

/**
 * To this share text of a given size is condensed, or set smaller in several lines, before it is cut off: our letters
 * are wider than Helvetica's.
 */
const LEAST_SHARE = 0.85

const FULL = 1000

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One line, in the middle of the height. */
export function drawTextLine(text: string, space: TextSpace): string {
  const { look, width, height, quadding } = space
  const shaped = shape(text, space)
  const padding = paddingOf(space)
  const room = Math.max(width - 2 * padding, 1)
  const sizePt = look.sizePt || fitSize(shaped, room, height)
  const natural = (shaped.width * sizePt) / FULL
  const condensed = natural > room ? Math.max(LEAST_SHARE, room / natural) : 1
  const taken = natural * condensed
  // What does not fit is seen from where it begins.
  if (taken > width - 2 * space.inset + CUT_FROM) space.noteCut()
  const side = taken > room + 0.01 ? (shaped.isRightToLeft ? 2 : 0) : quadding
  const x = padding + (side === 1 ? (room - taken) / 2 : side === 2 ? room - taken : 0)
  return drawLines([{ shaped, x, y: baselineFor(shaped, sizePt, space), sizePt, condensed }], space)
}

/** Lines from the top, broken where the width ends. */
export async function drawParagraphs(text: string, space: TextSpace): Promise<string> {
  const { typesetter, look, width, height, quadding } = space
  const padding = paddingOf(space)
  const [room, depth] = [Math.max(width - 2 * padding, 1), Math.max(height - 2 * padding, 1)]
  const paragraph = await openParagraph(typesetter, text, { style: look })
  const whole = typesetter.shape(text.replaceAll('\n', ' '), look)
  const leading = (whole.ascent - whole.descent) / FULL
  const fits = (sizePt: number): boolean => paragraph.countLines((room * FULL) / sizePt) * leading * sizePt <= depth
  const sizePt = look.sizePt
    ? (shrink(look.sizePt).find(fits) ?? look.sizePt)
    : (smaller(MAX_PARAGRAPH_SIZE).find(fits) ?? MIN_SIZE)
  const lines = paragraph.layOut((room * FULL) / sizePt)
  const [line] = lines
  if (line && lines.length === 1 && leading * sizePt > depth)
    return drawTextLine(text, { ...space, look: { ...look, sizePt } })
  const top = height - padding - (whole.ascent / FULL) * sizePt
  if (top - (lines.length - 1) * leading * sizePt + (whole.descent / FULL) * sizePt < space.inset - CUT_FROM)
    space.noteCut()
  const placed = lines.flatMap((shaped, index) => {
    const spare = room - (shaped.width * sizePt) / FULL
    const y = top - index * leading * sizePt
    // What lies below the field is not drawn: a long text may have thousands of lines.
    if (y + sizePt < 0) return []
    return [{ shaped, x: padding + (quadding === 1 ? spare / 2 : quadding === 2 ? spare : 0), y, sizePt, condensed: 1 }]
  })
  return drawLines(placed, space)
}

/** Every character in the middle of its cell. */
export function drawComb(text: string, cells: number, space: TextSpace): string {
  const { look, width, height, quadding } = space
  const isRightToLeft = shape(text, space).isRightToLeft
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (segments.length > cells) space.noteCut()
  const letters = segments.slice(0, cells).map(segment => shape(segment, space))
  if (isRightToLeft) letters.reverse()
  const cell = width / cells
  const widest = letters.reduce((most, letter) => Math.max(most, letter.width), 1)
  const sizePt = look.sizePt || Math.max(MIN_SIZE, Math.min(AUTO_SHARE * height, MAX_SIZE, (cell * FULL) / widest))
  const spare = cells - letters.length
  const first = quadding === 2 || (isRightToLeft && quadding === 0) ? spare : quadding === 1 ? Math.floor(spare / 2) : 0
  const placed = letters.map((shaped, index) => {
    const natural = (shaped.width * sizePt) / FULL
    const condensed = Math.max(LEAST_SHARE, Math.min(1, cell / Math.max(natural, 0.001)))
    return {
      shaped,
      x: (first + index + 0.5) * cell - (natural * condensed) / 2,
      y: baselineFor(shaped, sizePt, space),
      sizePt,
      condensed,
    }
  })
  return drawLines(placed, space)
}

/** The height of a row in a list, and the size of its text. */
export function measureRow({ typesetter, look }: TextSpace): { sizePt: number; rowHeight: number; descent: number } {
  const sizePt = look.sizePt || MAX_PARAGRAPH_SIZE
  const face = typesetter.mainFace(look)
  return { sizePt, rowHeight: ((face.ascent - face.descent) / FULL) * sizePt, descent: (-face.descent / FULL) * sizePt }
}

/** Rows of a list by their text and baseline. */
export function drawRows(rows: readonly { text: string; y: number }[], space: TextSpace): string {
  const { sizePt } = measureRow(space)
  const padding = paddingOf(space)
  const room = space.width - 2 * padding
  const placed = rows.map(({ text, y }) => {
    const shaped = shape(text, space)
    const spare = room - (shaped.width * sizePt) / FULL
    return {
      shaped,
      x: padding + (spare < 0 || space.quadding === 0 ? 0 : space.quadding === 1 ? spare / 2 : spare),
      y,
      sizePt,
      condensed: 1,
    }
  })
  return drawLines(placed, space)
}

function shape(text: string, { typesetter, look }: TextSpace): ShapedText {
  return typesetter.shape(text, look)
}

/** Acrobat leaves twice the border's width, and as much where there is none to be seen. */
function paddingOf({ inset, width, height }: TextSpace): number {
  return Math.min(Math.max(2, 2 * inset), width / 4, height / 4)
}

function fitSize(shaped: ShapedText, room: number, height: number): number {
  const byHeight = Math.min(AUTO_SHARE * height, (height * FULL) / (shaped.ascent - shaped.descent))
  const byWidth = (room * FULL) / Math.max(shaped.width, 1)
  return Math.max(MIN_SIZE, Math.min(byHeight, byWidth, MAX_SIZE))
}

function shrink(sizePt: number): number[] {
  return [1, 0.96, 0.92, 0.88, LEAST_SHARE].map(share => share * sizePt)
}

function smaller(sizePt: number): number[] {
  return Array.from({ length: (sizePt - MIN_SIZE) * 2 + 1 }, (_, index) => sizePt - index / 2)
}

/**
 * Capitals stand in the middle of the height; what is taller or deeper than they moves the line where it would be cut
 * off.
 */
function baselineFor(
  shaped: ShapedText,
  sizePt: number,
  { typesetter, look, height, inset, noteCut }: TextSpace,
): number {
  const unit = sizePt / FULL
  const middle = (height - typesetter.mainFace(look).capHeight * unit) / 2
  const ink = measureInk(shaped)
  if (!ink) return middle
  const lowest = inset - ink.bottom * unit
  const highest = height - inset - ink.top * unit
  if (lowest > highest + CUT_FROM) noteCut()
  return lowest > highest ? (lowest + highest) / 2 : Math.min(Math.max(middle, lowest), highest)
}

function drawLines(lines: readonly PlacedLine[], { fonts, nameFont, look, width, height, inset }: TextSpace): string {
  const shown = lines.filter(line => line.shaped.runs.length > 0)
  if (shown.length === 0) return ''
  const texts = shown.map(
    ({ shaped, x, y, sizePt, condensed }) =>
      `${condensed < 1 ? `${numbers(condensed * 100)} Tz` : '100 Tz'}\n1 0 0 1 ${numbers(x, y)} ` +
      `Tm\n${showText(shaped, { fonts, nameFont, sizePt })}`,
  )
  return (
    `q\n${numbers(inset, inset, width - 2 * inset, height - 2 * inset)} re W ` +
    `n\nBT\n${look.color}\n${texts.join('\n').replaceAll('100 Tz\n', '')}\nET\nQ`
  )
}

/**
 * The text as it can be drawn: without control characters, and with a white square for what no font has; then it is not
 * complete. For values that are in the file already; what a caller gives is refused instead.
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
