import type { EmbeddedImage } from '../pdf-core/images/images'
import { openParagraph } from '../text/paragraph'
import type { Paragraph } from '../text/paragraph'
import { stackLines } from '../text/text-block'
import type { TextBlock } from '../text/text-block'
import type { ShapedText, TextStyle, Typesetter } from '../text/typesetter'
import { SLOTS } from './slots'
import type { Slot, Slots } from './slots'

/** Lines that a slot may have. */
export const MOST_LINES = 3

/** Between two slots, as a part of the font size. */
const GAP = 1

/** Each next try is so much smaller. */
const STEP = 0.95
const MOST_STEPS = 120

const MOST_KNOWN = 100

/** Words are cut rather than set smaller than this part of the size. */
const CUTS_BELOW = 0.5

/** A text of a slot, and the option to blame for it. */
export interface SlotText {
  text: string
  param: string
}

/** A picture of a slot, with its height in points. */
interface SlotImage {
  image: EmbeddedImage
  heightPt: number
}

/** What stands in a slot. */
export type SlotContent = SlotText | SlotImage

/** A picture as high and wide as its row makes it; in thousandths of the font size. */
interface ImageBlock {
  image: EmbeddedImage
  width: number
  height: number
}

/** The room that a row has, in points. */
interface Room {
  width: number
  height: number
}

/** A header or a footer, set. */
export interface Row {
  sizePt: number
  blocks: { slot: Slot; block: TextBlock | ImageBlock }[]
  /** Of the highest block. */
  heightPt: number
}

interface KnownText extends SlotText {
  /** The lines that the text has by itself. */
  lines: ShapedText[]
  /** Of the widest of them, in thousandths of the font size. */
  width: number
  /** Made when the text has to be broken. */
  paragraph?: Paragraph
}

interface TextSource extends KnownText {
  slot: Slot
}

interface ImageSource {
  slot: Slot
  image: ImageBlock
  width: number
}

type SlotSource = TextSource | ImageSource

/** A source with the means to break it into lines. */
type Breakable = { slot: Slot; paragraph: Paragraph } | ImageSource

/**
 * Sets the texts of a row. They stand in full size and as they are where they fit beside each other, with the space of
 * a letter between them and the center one in the middle. Otherwise they are broken at words into columns, of at most
 * three lines; and where that does not do either, the whole row is set smaller, pictures too, until it does.
 */
export class RowLayout {
  /** What was set before, by text: most of a header is the same on all pages. */
  private readonly known = new Map<string, KnownText>()

  constructor(
    private readonly typesetter: Typesetter,
    private readonly style: TextStyle,
    private readonly sizePt: number,
  ) {}

  /** Throws EngineError `bad-options`, which blames the slot, for characters that no font has. */
  async set(contents: Slots<SlotContent>, room: Room): Promise<Row | undefined> {
    const sources = SLOTS.flatMap(slot => this.readSource(slot, contents[slot]))
    if (sources.length === 0) return undefined
    const natural = this.measure(
      this.sizePt,
      sources.map(source => ({
        slot: source.slot,
        block: 'image' in source ? source.image : this.stack(source.lines),
      })),
    )
    if (natural.heightPt <= room.height && fitsUnbroken(sources, (room.width / this.sizePt) * 1000)) return natural
    const breakables = await Promise.all(sources.map(source => this.openBreakable(source)))
    let sizePt = this.sizePt
    for (let step = 0; step < MOST_STEPS; step++, sizePt *= STEP) {
      const columns = shareOut(sources, (room.width / sizePt) * 1000)
      if (!breakables.every(one => fits(one, columns[one.slot], sizePt >= this.sizePt * CUTS_BELOW))) continue
      const row = this.measure(
        sizePt,
        breakables.map(one => ({
          slot: one.slot,
          block: 'image' in one ? one.image : this.stack(one.paragraph.layOut(columns[one.slot])),
        })),
      )
      if (row.heightPt <= room.height) return row
    }
    return { ...natural, sizePt, heightPt: (natural.heightPt / this.sizePt) * sizePt }
  }

  private readSource(slot: Slot, content: SlotContent | undefined): SlotSource[] {
    if (!content) return []
    if ('image' in content) {
      const { image, heightPt } = content
      const height = (heightPt / this.sizePt) * 1000
      const width = (height * image.width) / image.height
      return [{ slot, image: { image, width, height }, width }]
    }
    return content.text.trim() === '' ? [] : [{ slot, ...this.know(content) }]
  }

  private know({ text, param }: SlotText): KnownText {
    const known = this.known.get(text)
    if (known) return known
    const lines = text.split('\n').map(line => this.typesetter.shape(line.trim(), this.style, param))
    const fresh = { text, param, lines, width: Math.max(...lines.map(line => line.width)) }
    if (this.known.size >= MOST_KNOWN) this.known.clear()
    this.known.set(text, fresh)
    return fresh
  }

  private async openBreakable(source: SlotSource): Promise<Breakable> {
    if ('image' in source) return source
    const known = this.know(source)
    known.paragraph ??= await openParagraph(this.typesetter, known.text, { style: this.style, param: known.param })
    return { slot: source.slot, paragraph: known.paragraph }
  }

  private stack(lines: readonly ShapedText[]): TextBlock {
    return stackLines(lines, this.typesetter.mainFace(this.style))
  }

  private measure(sizePt: number, blocks: Row['blocks']): Row {
    return { sizePt, blocks, heightPt: (Math.max(...blocks.map(({ block }) => block.height)) * sizePt) / 1000 }
  }
}

/** A hair more than it needs: widths that were divided and multiplied must not break a line. */
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

/** Whether the slots stand beside each other in a row of that width, in thousandths of the font size. */
function fitsUnbroken(sources: readonly SlotSource[], width: number): boolean {
  if (sources.some(source => 'lines' in source && source.lines.length > MOST_LINES)) return false
  const { left, center, right } = widthsOf(sources)
  const gap = GAP * 1000
  if (center === 0) return left + right + (left && right ? gap : 0) <= width
  return center <= width && Math.max(left, right) <= (width - center) / 2 - (left || right ? gap : 0)
}

/**
 * The widths of the columns: what is narrow keeps its width and leaves the rest to the others; the outer ones are as
 * wide as each other beside a center.
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
