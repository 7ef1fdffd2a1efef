import type LineBreaker from 'linebreak'
import type { ShapedText, TextStyle } from './typesetter'

/** A part of a text after which a line may end. */
interface Word {
  start: number
  /** End of the word without its trailing spaces. */
  inkEnd: number
  end: number
  /** Width without trailing spaces, in thousandths of the font size. `width` includes the spaces. */
  inkWidth: number
  width: number
  /** Whether the line must end after this word. */
  isLast: boolean
}

/** Scripts without spaces between words. Only a dictionary can find their words. */
const DICTIONARY_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2,}/gu

const words = new Intl.Segmenter('th', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

let opened: Promise<typeof LineBreaker> | undefined

interface Setting {
  style?: TextStyle
  param?: string
  /**
   * Widths of words that were measured before in this style. Paragraphs with common words can share the map. New widths
   * are added to it.
   */
  widths?: Map<string, number>
}

/** Measures and shapes lines. The typesetter does, and so can a font of a document. */
interface LineShaper<Line> {
  shape(text: string, style?: TextStyle, param?: string): Line
}

/** Opens a text that is broken into lines. `\n` starts a new line. Throws the errors of `LineShaper.shape`. */
export async function openParagraph<Line extends { width: number } = ShapedText>(
  typesetter: LineShaper<Line>,
  text: string,
  how: Setting = {},
): Promise<Paragraph<Line>> {
  opened ??= import('linebreak').then(module => module.default)
  return new Paragraph(typesetter, await opened, { text, ...how })
}

/** A text with measured words, to be laid out in columns of any width. */
export class Paragraph<Line extends { width: number } = ShapedText> {
  private readonly text: string
  private readonly style: TextStyle
  private readonly param: string | undefined
  private readonly words: Word[]

  /** Use `openParagraph`. */
  constructor(
    private readonly typesetter: LineShaper<Line>,
    Breaker: typeof LineBreaker,
    { text, style = {}, param, widths = new Map() }: Setting & { text: string },
  ) {
    this.text = text
    this.style = style
    this.param = param
    this.words = this.measure(findBreaks(text, Breaker), widths)
  }

  /** The width of the widest word, in thousandths of the font size. In a narrower column, words must be cut. */
  get widestWord(): number {
    return Math.max(0, ...this.words.map(word => word.inkWidth))
  }

  /** Returns the number of lines in a column of this width, in thousandths of the font size. */
  countLines(width: number): number {
    return this.fill(width).length
  }

  /** Returns the lines in a column of this width, in thousandths of the font size. Words that are wider are cut. */
  layOut(width: number): Line[] {
    return this.fill(width).map(([start, end]) => this.shape(start, end))
  }

  /** Returns the start and end of each line. */
  private fill(width: number): [number, number][] {
    const lines: [number, number][] = []
    let line: { start: number; end: number; width: number } | undefined
    const end = (): void => {
      if (line) lines.push([line.start, line.end])
      line = undefined
    }
    for (const word of this.words) {
      if (line && line.width + word.inkWidth > width) end()
      if (!line && word.inkWidth > width) {
        const pieces = this.cut(word, width)
        lines.push(...pieces.slice(0, -1))
        const [start, stop] = pieces.at(-1) ?? [word.start, word.inkEnd]
        line = { start, end: stop, width: this.shape(start, stop).width }
      } else {
        line = { start: line?.start ?? word.start, end: word.inkEnd, width: (line?.width ?? 0) + word.width }
      }
      if (word.isLast) end()
    }
    end()
    return lines
  }

  /** Cuts a word into pieces that are no wider than the column. Each piece has at least one character. */
  private cut({ start, inkEnd }: Word, width: number): [number, number][] {
    const pieces: [number, number][] = []
    let from = start
    let total = 0
    for (const { index, segment } of graphemes.segment(this.text.slice(start, inkEnd))) {
      const own = this.shape(start + index, start + index + segment.length).width
      if (total > 0 && total + own > width) {
        pieces.push([from, start + index])
        from = start + index
        total = 0
      }
      total += own
    }
    return [...pieces, [from, inkEnd]]
  }

  private measure(breaks: { position: number; required: boolean }[], known: Map<string, number>): Word[] {
    const widthOf = (start: number, end: number): number => {
      const part = this.text.slice(start, end)
      const width = known.get(part) ?? this.shape(start, end).width
      known.set(part, width)
      return width
    }
    let start = 0
    return breaks.map(({ position, required }) => {
      const part = this.text.slice(start, position).replace(/\n$/, '')
      const inkEnd = start + part.trimEnd().length
      const word = {
        start,
        inkEnd,
        end: position,
        inkWidth: widthOf(start, inkEnd),
        width: widthOf(start, start + part.length),
        isLast: required,
      }
      start = position
      return word
    })
  }

  private shape(start: number, end: number): Line {
    return this.typesetter.shape(this.text.slice(start, end), this.style, this.param)
  }
}

/** Returns the positions at which lines may or must end. The last position is the end of the text. */
function findBreaks(text: string, Breaker: typeof LineBreaker): { position: number; required: boolean }[] {
  const required = new Map<number, boolean>()
  const breaker = new Breaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) required.set(next.position, next.required)
  for (const { 0: part, index } of text.matchAll(DICTIONARY_SCRIPTS)) {
    for (const word of words.segment(part))
      if (word.index > 0 && !required.has(index + word.index)) required.set(index + word.index, false)
  }
  // An empty line follows a line feed at the end. The breaker reports the end of the text as an optional break.
  if (text.endsWith('\n')) required.set(text.length, true)
  const places = [...required]
    .map(([position, isRequired]) => ({ position, required: isRequired }))
    .sort((one, other) => one.position - other.position)
  return text.endsWith('\n') ? [...places, { position: text.length, required: true }] : places
}
