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

/** Words are cut rather than set smaller than this part of the size. */
const CUTS_BELOW = 0.5

/** A text of a slot, and the option to blame for it. */
export interface SlotText {
  text: string
  param: string
}

/** The room that a row has, in points. */
interface Room {
  width: number
  height: number
}

/** A header or a footer, set. */
export interface Row {
  sizePt: number
  blocks: { slot: Slot; block: TextBlock }[]
  /** Of the highest block. */
  heightPt: number
}

interface SlotSource {
  slot: Slot
  text: string
  param: string
  /** The lines that the text has by itself. */
  lines: ShapedText[]
  /** Of the widest of them, in thousandths of the font size. */
  width: number
}

/**
 * Sets the texts of a row. They stand in full size and as they are where they fit beside each other, with the space of a
 * letter between them and the centre one in the middle. Otherwise they are broken at words into columns, of at most three
 * lines; and where that does not do either, the whole row is set smaller until it does.
 */
export class RowSetter {
  constructor(private readonly typesetter: Typesetter, private readonly style: TextStyle, private readonly sizePt: number) {}

  /** Throws EngineError `bad-options`, which blames the slot, for characters that no font has. */
  async set(texts: Slots<SlotText>, room: Room): Promise<Row | undefined> {
    const sources = SLOTS.flatMap(slot => this.readSource(slot, texts[slot]))
    if (sources.length === 0) return undefined
    const natural = this.measure(this.sizePt, sources.map(({ slot, lines }) => ({ slot, lines })))
    if (natural.heightPt <= room.height && fitsUnbroken(sources, (room.width / this.sizePt) * 1000)) return natural
    const paragraphs = await this.openParagraphs(sources)
    let sizePt = this.sizePt
    for (let step = 0; step < MOST_STEPS; step++, sizePt *= STEP) {
      const columns = shareOut(sources, (room.width / sizePt) * 1000)
      if (!paragraphs.every(({ slot, paragraph }) => fits(paragraph, columns[slot], sizePt >= this.sizePt * CUTS_BELOW))) continue
      const row = this.measure(sizePt, paragraphs.map(({ slot, paragraph }) => ({ slot, lines: paragraph.layOut(columns[slot]) })))
      if (row.heightPt <= room.height) return row
    }
    return this.measure(sizePt, sources.map(({ slot, lines }) => ({ slot, lines })))
  }

  private readSource(slot: Slot, content: SlotText | undefined): SlotSource[] {
    if (!content || content.text.trim() === '') return []
    const lines = content.text.split('\n').map(line => this.typesetter.shape(line.trim(), this.style, content.param))
    return [{ slot, ...content, lines, width: Math.max(...lines.map(line => line.width)) }]
  }

  private openParagraphs(sources: readonly SlotSource[]): Promise<{ slot: Slot; paragraph: Paragraph }[]> {
    return Promise.all(sources.map(async ({ slot, text, param }) => ({ slot, paragraph: await openParagraph(this.typesetter, text, { style: this.style, param }) })))
  }

  private measure(sizePt: number, slots: readonly { slot: Slot; lines: readonly ShapedText[] }[]): Row {
    const face = this.typesetter.mainFace(this.style)
    const blocks = slots.map(({ slot, lines }) => ({ slot, block: stackLines(lines, face) }))
    return { sizePt, blocks, heightPt: (Math.max(...blocks.map(({ block }) => block.height)) * sizePt) / 1000 }
  }
}

/** A hair more than it needs: widths that were divided and multiplied must not break a line. */
const SLACK = 1

function fits(paragraph: Paragraph, width: number, keepsWords: boolean): boolean {
  return (!keepsWords || paragraph.widestWord <= width) && paragraph.countLines(width) <= MOST_LINES
}

function widthsOf(sources: readonly SlotSource[]): Record<Slot, number> {
  const widths = { left: 0, center: 0, right: 0 }
  for (const { slot, width } of sources) widths[slot] = width + SLACK
  return widths
}

/** Whether the slots stand beside each other in a row of that width, in thousandths of the font size. */
function fitsUnbroken(sources: readonly SlotSource[], width: number): boolean {
  if (sources.some(({ lines }) => lines.length > MOST_LINES)) return false
  const { left, center, right } = widthsOf(sources)
  const gap = GAP * 1000
  if (center === 0) return left + right + (left && right ? gap : 0) <= width
  return center <= width && Math.max(left, right) <= (width - center) / 2 - (left || right ? gap : 0)
}

/** The widths of the columns: what is narrow keeps its width and leaves the rest to the others; the outer ones are as wide as each other beside a centre. */
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
