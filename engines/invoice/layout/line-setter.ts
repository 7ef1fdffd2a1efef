import type { Color } from '../../options/colors'
import type { Face } from '../../text/face'
import { openParagraph } from '../../text/paragraph'
import { measureInk } from '../../text/typesetter'
import type { ShapedText, TextStyle, Typesetter } from '../../text/typesetter'
import type { Tag } from './tag-tree'
import type { Look } from './theme'

/** The side of a column that a text keeps to; where a line begins is on the right in Arabic and Hebrew. */
export type Align = 'start' | 'end'

/** A text in a line. */
export interface Part {
  shaped: ShapedText
  look: Look
  align: Align
  /** The element that it belongs to; none for what only decorates. */
  tag: Tag | undefined
  /** How much further in it begins than the line, in points. */
  shiftPt?: number
  /** Where a click on it leads. */
  uri?: string | undefined
}

/** A line of a column, or a gap. */
export interface Line {
  parts: Part[]
  heightPt: number
  /** Below the line's upper edge. */
  baselinePt: number
  /** Behind it, as wide as the column. */
  fill?: Color
  /** Kept free at both sides. */
  insetPt?: number
}

/** What a text belongs to, and what is blamed for it. */
export interface Setting {
  align?: Align
  tag?: Tag | undefined
  /** The field that it comes from; of words that come from none, `labels` may have them. */
  param?: string
  uri?: string
}

/** Turns the texts of one invoice into lines; what was shaped once is kept. */
export class LineSetter {
  private readonly shaped = new Map<string, ShapedText>()
  private readonly faces = new Map<number, Pick<Face, 'ascent' | 'descent'>>()
  /** By weight and direction. */
  private readonly wordWidths = new Map<string, Map<string, number>>()

  constructor(
    private readonly typesetter: Typesetter,
    private readonly locale: string,
    readonly isRightToLeft: boolean,
  ) {}

  /** A text in one piece. Numbers run as the invoice does; other text by its first letter. */
  shape(text: string, look: Look, param = 'labels'): ShapedText {
    const key = `${look.weight} ${look.isTabular ? 'n' : 't'} ${text}`
    const known = this.shaped.get(key)
    if (known) return known
    const shaped =
      (look.isTabular && FIGURES.test(text) ? this.joinFigures(text, look) : undefined) ??
      this.typesetter.shape(text, this.styleOf(look), param)
    if (text.length <= MOST_KEPT) this.shaped.set(key, shaped)
    return shaped
  }

  /** A number from characters that were shaped before: figures of one width do not depend on their neighbors. */
  private joinFigures(text: string, look: Look): ShapedText | undefined {
    if (this.isRightToLeft || text.length < 2) return undefined
    const parts = Array.from(text, character => this.shape(character, look))
    const [run] = parts[0]?.runs ?? []
    if (!run || parts.some(part => part.runs.length !== 1 || part.runs[0]?.face !== run.face)) return undefined
    const clusters = parts.flatMap(part => part.runs[0]?.clusters ?? [])
    return {
      ...(parts[0] as ShapedText),
      text,
      runs: [{ face: run.face, clusters }],
      width: parts.reduce((sum, part) => sum + part.width, 0),
    } // there is a first run
  }

  widthOf(text: string, look: Look, param?: string): number {
    return (this.shape(text, look, param).width * look.sizePt) / 1000
  }

  /** A line with one text, however wide it is. */
  line(text: string, look: Look, { align = 'start', tag, param, uri }: Setting = {}): Line {
    return this.lineOf([{ shaped: this.shape(text, look, param), look, align, tag, uri }])
  }

  /** The lines of a text in a column of that width; a word that is wider is cut. */
  async lines(text: string, look: Look, width: number, setting: Setting = {}): Promise<Line[]> {
    const { align = 'start', tag, param = 'labels', uri } = setting
    const mayFit = text.length * look.sizePt * NARROW < width && !text.includes('\n')
    const whole = mayFit ? this.shape(text, look, param) : undefined
    if (whole && (whole.width * look.sizePt) / 1000 <= width)
      return [this.lineOf([{ shaped: whole, look, align, tag, uri }])]
    const isTurned = RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '')
    const key = `${look.weight} ${isTurned}`
    const widths = this.wordWidths.get(key) ?? new Map<string, number>()
    this.wordWidths.set(key, widths)
    const paragraph = await openParagraph(this.typesetter, text, { style: this.styleOf(look, isTurned), widths, param })
    return paragraph
      .layOut((width * 1000) / look.sizePt)
      .map(shaped => this.lineOf([{ shaped, look, align, tag, uri }]))
  }

  /** A label and what it says, on one line where both have room there, otherwise below each other. */
  async pair(label: Part, value: { text: string; look: Look } & Setting, width: number): Promise<Line[]> {
    const { text, look, param, tag } = value
    const labelWidth = (label.shaped.width * label.look.sizePt) / 1000
    if (!text.includes('\n') && labelWidth + LEAST_GAP + this.widthOf(text, look, param) <= width) {
      return [this.lineOf([label, { shaped: this.shape(text, look, param), look, align: 'end', tag, uri: value.uri }])]
    }
    const labels =
      labelWidth <= width
        ? [this.lineOf([label])]
        : await this.lines(label.shaped.text, label.look, width, label.tag ? { tag: label.tag } : {})
    return [...labels, ...(await this.lines(text, look, width, { ...value, align: 'end' }))]
  }

  /** As much of a text as has room, with an ellipsis where some is left out: for what stands elsewhere in full. */
  clip(text: string, look: Look, width: number): ShapedText {
    const line = text.replace(/\s+/g, ' ').slice(0, MAX_SHAPED).toWellFormed().replaceAll('\ufffd', '')
    if (line === text && this.widthOf(line, look) <= width) return this.shape(line, look)
    const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
    let [fits, fails] = [0, characters.length + 1]
    while (fails - fits > 1) {
      const middle = Math.floor((fits + fails) / 2)
      if (this.widthOf(`${characters.slice(0, middle).join('').trimEnd()}…`, look) <= width) fits = middle
      else fails = middle
    }
    return this.shape(`${characters.slice(0, fits).join('').trimEnd()}…`, look)
  }

  /** An empty line. */
  gap(heightPt: number): Line {
    return { parts: [], heightPt, baselinePt: 0 }
  }

  /** A colored line as wide as the column. */
  rule(color: Color, heightPt: number): Line {
    return { ...this.gap(heightPt), fill: color }
  }

  /**
   * Texts beside each other on one baseline. A line is as high as its leading, and higher where a script draws beyond
   * that.
   */
  lineOf(parts: Part[]): Line {
    let [above, below] = [0, 0]
    for (const { shaped, look } of parts) {
      const { ascent, descent } = this.faceOf(look.weight)
      const size = look.sizePt / 1000
      const spare = (look.leadingPt - (ascent - descent) * size) / 2
      above = Math.max(above, spare + ascent * size)
      below = Math.max(below, spare - descent * size)
      if (shaped.ascent <= ascent && shaped.descent >= descent) continue
      const ink = measureInk(shaped)
      above = Math.max(above, (ink?.top ?? 0) * size)
      below = Math.max(below, -(ink?.bottom ?? 0) * size)
    }
    return { parts, heightPt: above + below, baselinePt: above }
  }

  private faceOf(weight: number): Pick<Face, 'ascent' | 'descent'> {
    const known = this.faces.get(weight) ?? this.typesetter.mainFace({ weight })
    this.faces.set(weight, known)
    return known
  }

  private styleOf({ weight, isTabular }: Look, isRightToLeft?: boolean): TextStyle {
    const direction = isTabular
      ? this.isRightToLeft
        ? 'rtl'
        : 'ltr'
      : isRightToLeft === undefined
        ? 'auto'
        : isRightToLeft
          ? 'rtl'
          : 'ltr'
    return { weight, direction, language: this.locale, ...(isTabular && { features: ['tnum'] }) }
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Between a label and its value on one line. */
const LEAST_GAP = 10

/** Characters of texts that are kept when they were shaped: labels and figures come again, descriptions hardly do. */
const MOST_KEPT = 24

/** Characters of a clipped line that are looked at. */
const MAX_SHAPED = 300

/**
 * A text whose characters would have to be narrower than this share of its size, on average, will hardly fit: it is
 * measured by the word at once.
 */
const NARROW = 0.45

/** What stands in numbers of most languages. */
const FIGURES = /^[\d.,'’$€£¥₹%\u00a0\u202f -]+$/

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
