import type { EmbeddedImage } from '../../pdf/images'
import { openParagraph, stackLines } from '../../pdf/typeset'
import type { Paragraph, ShapedText, TextBlock, TextStyle, Typesetter } from '../../pdf/typeset'
import { SLOTS } from './slots'
import type { Slot, Slots } from './slots'

/** Maximum number of lines of a slot. */
export const MOST_LINES = 3

/** Distance between two slots, as a multiple of the font size. */
const GAP = 1

/** Factor of the font size for each further attempt. */
const STEP = 0.95
const MOST_STEPS = 120

const MOST_KNOWN = 100

/** Below this share of the font size, words are broken instead of reducing the size further. */
const CUTS_BELOW = 0.5

/** Text of a slot, and its option for errors. */
export interface SlotText {
  text: string
  param: string
}

/** An image of a slot, with its height in points. */
interface SlotImage {
  image: EmbeddedImage
  heightPt: number
}

export type SlotContent = SlotText | SlotImage

/** An image with its size in the row, in thousandths of the font size. */
interface ImageBlock {
  image: EmbeddedImage
  width: number
  height: number
}

/** The available space of a row, in points. */
interface Room {
  width: number
  height: number
}

/** A laid-out header or footer. */
export interface Row {
  sizePt: number
  blocks: { slot: Slot; block: TextBlock | ImageBlock }[]
  /** Height of the tallest block. */
  heightPt: number
}

interface ShapedSlotText extends SlotText {
  /** The lines of the text without wrapping. */
  lines: ShapedText[]
  /** Width of the widest line, in thousandths of the font size. */
  width: number
  /** Created if the text must be wrapped. */
  paragraph?: Paragraph
}

interface TextSource extends ShapedSlotText {
  slot: Slot
}

interface ImageSource {
  slot: Slot
  image: ImageBlock
  width: number
}

type SlotSource = TextSource | ImageSource

/** A source that can be wrapped into lines. */
type Breakable = { slot: Slot; paragraph: Paragraph } | ImageSource

/**
 * Lays out the slots of a row, with gaps of one em and the center slot in the middle. If the texts fit next to each
 * other, they keep their size and lines. Otherwise, they are wrapped into columns of at most three lines. If this isn't
 * enough, the font size of the whole row and its images are reduced until they fit.
 */
export class RowLayout {
  /** Shaped texts. Most of a header is the same on all pages. */
  private readonly shapedTexts = new Map<string, ShapedSlotText>()

  constructor(
    private readonly typesetter: Typesetter,
    private readonly style: TextStyle,
    private readonly sizePt: number,
  ) {}

  /**
   * Lays out a row. Throws EngineError `options_invalid` with the parameter of the slot for characters that no font has.
   */
  async set(contents: Slots<SlotContent>, room: Room): Promise<Row | undefined> {
    const sources = SLOTS.flatMap(slot => this.readSource(slot, contents[slot]))
    if (sources.length === 0) return undefined
    const unwrapped = this.measure(
      this.sizePt,
      sources.map(source => ({
        slot: source.slot,
        block: 'image' in source ? source.image : this.stack(source.lines),
      })),
    )
    if (unwrapped.heightPt <= room.height && fitsUnbroken(sources, (room.width / this.sizePt) * 1000)) return unwrapped
    const breakables = await Promise.all(sources.map(source => this.openBreakable(source)))
    let sizePt = this.sizePt
    for (let step = 0; step < MOST_STEPS; step++, sizePt *= STEP) {
      const columns = shareOut(sources, (room.width / sizePt) * 1000)
      if (!breakables.every(breakable => fits(breakable, columns[breakable.slot], sizePt >= this.sizePt * CUTS_BELOW)))
        continue
      const row = this.measure(
        sizePt,
        breakables.map(breakable => ({
          slot: breakable.slot,
          block:
            'image' in breakable ? breakable.image : this.stack(breakable.paragraph.layOut(columns[breakable.slot])),
        })),
      )
      if (row.heightPt <= room.height) return row
    }
    return { ...unwrapped, sizePt, heightPt: (unwrapped.heightPt / this.sizePt) * sizePt }
  }

  private readSource(slot: Slot, content: SlotContent | undefined): SlotSource[] {
    if (!content) return []
    if ('image' in content) {
      const { image, heightPt } = content
      const height = (heightPt / this.sizePt) * 1000
      const width = (height * image.width) / image.height
      return [{ slot, image: { image, width, height }, width }]
    }
    return content.text.trim() === '' ? [] : [{ slot, ...this.shapeText(content) }]
  }

  private shapeText({ text, param }: SlotText): ShapedSlotText {
    const cached = this.shapedTexts.get(text)
    if (cached) return cached
    const lines = text.split('\n').map(line => this.typesetter.shape(line.trim(), this.style, param))
    const shapedText = { text, param, lines, width: Math.max(...lines.map(line => line.width)) }
    if (this.shapedTexts.size >= MOST_KNOWN) this.shapedTexts.clear()
    this.shapedTexts.set(text, shapedText)
    return shapedText
  }

  private async openBreakable(source: SlotSource): Promise<Breakable> {
    if ('image' in source) return source
    const shaped = this.shapeText(source)
    shaped.paragraph ??= await openParagraph(this.typesetter, shaped.text, { style: this.style, param: shaped.param })
    return { slot: source.slot, paragraph: shaped.paragraph }
  }

  private stack(lines: readonly ShapedText[]): TextBlock {
    return stackLines(lines, this.typesetter.mainFace(this.style))
  }

  private measure(sizePt: number, blocks: Row['blocks']): Row {
    return { sizePt, blocks, heightPt: (Math.max(...blocks.map(({ block }) => block.height)) * sizePt) / 1000 }
  }
}

/** Additional width, so that rounding errors don't wrap a line. */
const SLACK = 1

function fits(breakable: Breakable, width: number, keepsWords: boolean): boolean {
  if ('image' in breakable) return breakable.width <= width
  const { paragraph } = breakable
  return (!keepsWords || paragraph.widestWord <= width) && paragraph.countLines(width) <= MOST_LINES
}

function widthsOf(sources: readonly SlotSource[]): Record<Slot, number> {
  const widths = { left: 0, center: 0, right: 0 }
  for (const { slot, width } of sources) widths[slot] = width + SLACK
  return widths
}

/** Returns whether the slots fit side by side into a row of this width, in thousandths of the font size. */
function fitsUnbroken(sources: readonly SlotSource[], width: number): boolean {
  if (sources.some(source => 'lines' in source && source.lines.length > MOST_LINES)) return false
  const { left, center, right } = widthsOf(sources)
  const gap = GAP * 1000
  if (center === 0) return left + right + (left && right ? gap : 0) <= width
  return center <= width && Math.max(left, right) <= (width - center) / 2 - (left || right ? gap : 0)
}

/**
 * Returns the widths of the columns. Narrow slots keep their width and leave the rest to the others. If there is a
 * center slot, the outer columns have equal widths.
 */
function shareOut(sources: readonly SlotSource[], width: number): Record<Slot, number> {
  const { left, center, right } = widthsOf(sources)
  const gap = GAP * 1000
  if (center === 0) {
    if (left === 0 || right === 0) return { left: width, center: width, right: width }
    const half = (width - gap) / 2
    const first = left <= half ? left : right <= half ? width - gap - right : half
    return { left: first, center: 0, right: width - gap - first }
  }
  const outer = Math.max(left, right)
  if (outer === 0) return { left: 0, center: width, right: 0 }
  const room = width - 2 * gap
  const side = outer <= room / 3 ? outer : center <= room / 3 ? (room - center) / 2 : room / 3
  return { left: side, center: room - 2 * side, right: side }
}
