import type { Color } from '../../../options/colors'
import type { Face, ShapedText, TextStyle, Typesetter } from '../../../pdf/typeset'
import { measureInk, openParagraph } from '../../../pdf/typeset'
import { STANDARD_LABELS } from '../data/labels'
import type { Tag } from './tag-tree'
import type { Look } from './theme'
import { findOrAdd } from '../../../map-entries'

/** Alignment in a column. In Arabic and Hebrew, lines start on the right. */
export type Align = 'start' | 'end'

/** A text in a line. */
export interface Part {
  shaped: ShapedText
  look: Look
  align: Align
  /** The structure element of the text. Undefined for decoration. */
  tag: Tag | undefined
  /** Distance from the start of the line, in points. */
  shiftPt?: number
  /** Target URI of a link. */
  uri?: string | undefined
}

/** A line of a column, or a gap. */
export interface Line {
  parts: Part[]
  heightPt: number
  /** Distance of the baseline from the upper edge of the line. */
  baselinePt: number
  /** Background color in the width of the column. */
  fill?: Color
  /** Padding on both sides. */
  insetPt?: number
}

/** Structure element of a text, and its parameter for errors. */
export interface Setting {
  align?: Align
  tag?: Tag | undefined
  /** The field of the text. Texts without a field are attributed to `labels`, which can override them. */
  param?: string
  uri?: string
}

/** Lays out the texts of one invoice as lines. Caches shaped texts. */
export class LineSetter {
  private readonly shaped = new Map<string, ShapedText>()
  private readonly faces = new Map<number, Pick<Face, 'ascent' | 'descent'>>()
  /** Word widths by weight and direction. */
  private readonly wordWidths = new Map<string, Map<string, number>>()

  constructor(
    private readonly typesetter: Typesetter,
    private readonly locale: string,
    readonly isRightToLeft: boolean,
  ) {}

  /** Shapes a text. Numbers have the direction of the invoice. Other text has the direction of its first letter. */
  shape(text: string, look: Look, param = 'labels'): ShapedText {
    const key = `${look.weight} ${kindOf(look)} ${text}`
    const cached = this.shaped.get(key)
    if (cached) return cached
    const shaped =
      (look.isTabular && FIGURES.test(text) ? this.joinFigures(text, look) : undefined) ??
      (!look.isTabular && !look.isArimo && STANDARD_LABELS.has(text) ? this.shapeCommon(text, look) : undefined) ??
      this.typesetter.shape(text, this.styleOf(look), param)
    if (text.length <= MAX_CACHED_LENGTH) this.shaped.set(key, shaped)
    return shaped
  }

  /** Shapes a number from cached characters. Tabular figures don't depend on their neighbors. */
  private joinFigures(text: string, look: Look): ShapedText | undefined {
    if (this.isRightToLeft || text.length < 2) return undefined
    const parts = Array.from(text, character => this.shapeCommon(character, look))
    const [run] = parts[0]?.runs ?? []
    if (!run || parts.some(part => part.runs.length !== 1 || part.runs[0]?.face !== run.face)) return undefined
    const clusters = parts.flatMap(part => part.runs[0]?.clusters ?? [])
    return {
      ...(parts[0] as ShapedText),
      text,
      runs: [{ face: run.face, clusters }],
      width: parts.reduce((sum, part) => sum + part.width, 0),
    } // The first part exists, because it has a run.
  }

  /** Shapes a text that many invoices have. The process keeps it. */
  private shapeCommon(text: string, look: Look): ShapedText {
    const key = `${look.weight} ${look.isTabular ? 'n' : 't'} ${this.locale} ${text}`
    const cached = common.get(key)
    if (cached) return cached
    if (common.size >= MOST_COMMON) common.clear()
    const shaped = this.typesetter.shape(text, this.styleOf(look), 'labels')
    common.set(key, shaped)
    return shaped
  }

  /**
   * Keeps a part of a text together in right-to-left invoices, with the direction of its first letter (UAX #9, 2.4).
   * Without this, a date beside Latin letters runs in the wrong order.
   */
  isolate(part: string): string {
    return this.isRightToLeft ? `${FIRST_STRONG_ISOLATE}${part}${POP_ISOLATE}` : part
  }

  widthOf(text: string, look: Look, param?: string): number {
    return (this.shape(text, look, param).width * look.sizePt) / 1000
  }

  /** Returns a line with one text, even if it is too wide. */
  line(text: string, look: Look, { align = 'start', tag, param, uri }: Setting = {}): Line {
    return this.lineOf([{ shaped: this.shape(text, look, param), look, align, tag, uri }])
  }

  /** Wraps a text in a column of this width in points. A word that is wider is broken. Most texts fit on one line. */
  async lines(sent: string, look: Look, width: number, setting: Setting = {}): Promise<Line[]> {
    const text = sent.replace(SECTION_SPACE, NO_BREAK_SPACE)
    const { align = 'start', tag, param = 'labels', uri } = setting
    const mayFit = text.length * look.sizePt * NARROW < width && !text.includes('\n')
    const singleLine = mayFit ? this.shape(text, look, param) : undefined
    if (singleLine && (singleLine.width * look.sizePt) / 1000 <= width)
      return [this.lineOf([{ shaped: singleLine, look, align, tag, uri }])]
    const isRightToLeftText = RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '')
    const key = `${look.weight} ${kindOf(look)} ${isRightToLeftText}`
    const widths = findOrAdd(this.wordWidths, key, () => new Map())
    const paragraph = await openParagraph(this.typesetter, text, {
      style: this.styleOf(look, isRightToLeftText),
      widths,
      param,
    })
    return paragraph
      .layOut((width * 1000) / look.sizePt)
      .map(shaped => this.lineOf([{ shaped, look, align, tag, uri }]))
  }

  /** Returns a label and its value on one line if they fit, otherwise below each other. */
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

  /** Truncates a text to a width, with an ellipsis. For texts that also appear in full elsewhere. */
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

  /** Returns an empty line. */
  gap(heightPt: number): Line {
    return { parts: [], heightPt, baselinePt: 0 }
  }

  /** Returns a colored rule in the width of the column. */
  rule(color: Color, heightPt: number): Line {
    return { ...this.gap(heightPt), fill: color }
  }

  /**
   * Returns a line with texts on a common baseline. The line is as high as its leading, or higher if the ink of a
   * script exceeds the leading.
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
    const face = this.faces.get(weight) ?? this.typesetter.mainFace({ weight })
    this.faces.set(weight, face)
    return face
  }

  private styleOf({ weight, isTabular, isArimo }: Look, isRightToLeft?: boolean): TextStyle {
    // Figures have no letters, so they take the direction of the invoice.
    const isReversed = isTabular ? this.isRightToLeft : isRightToLeft
    return {
      weight,
      direction: isReversed === undefined ? 'auto' : isReversed ? 'rtl' : 'ltr',
      language: this.locale,
      ...(isTabular && { features: ['tnum'] }),
      ...(isArimo && { isArimo }),
    }
  }
}

/** A key of what makes texts of one weight look different. */
function kindOf({ isTabular, isArimo }: Look): string {
  return isTabular ? 'n' : isArimo ? 'a' : 't'
}

/**
 * Shaped characters of left-to-right numbers and shaped labels, by weight, kind of figures, language and text. No other
 * texts, because nothing of an invoice may outlast its job.
 */
const common = new Map<string, ShapedText>()
const MOST_COMMON = 1000

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Minimum distance between a label and its value on one line. */
const LEAST_GAP = 10

/** Maximum length of cached texts. Labels and figures recur, descriptions rarely do. */
const MAX_CACHED_LENGTH = 24

/** The space between a section sign and its number, where no line may end. */
const SECTION_SPACE = /(?<=§) (?=\S)/g
const NO_BREAK_SPACE = '\u00a0'

/** Maximum number of characters of a truncated line to consider. */
const MAX_SHAPED = 300

/**
 * Minimum average character width, as a share of the font size. A text that fits only with narrower characters is
 * wrapped without shaping it as a whole.
 */
const NARROW = 0.45

/** Characters in numbers of most languages. */
const FIGURES = /^[\d.,'’$€£¥₹%\u00a0\u202f -]+$/

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
