import type { ContentStream } from '../content/walk/content-stream'
import type { Bounds } from '../geometry/geometry'
import type { Matrix } from '../geometry/matrix'
import type { TextKinds } from './text-kinds'

/** The line of a character, in default user space of its page. */
export interface Baseline {
  /** The origin of the character on its baseline. */
  x: number
  y: number
  /** Angle of the line in radians, counter-clockwise from the x axis. */
  angle: number
  /** Size of an em, across the line. */
  size: number
}

/** What all characters of a text-showing operation have in common. */
export interface TextStyle {
  isBold: boolean
  isItalic: boolean
  isMonospaced: boolean
  /** The marked-content identifier of the content of the page. -1 if there is none. */
  mcid: number
  /** The content is marked as an artifact. */
  isArtifact: boolean
  /** The text is drawn without ink. */
  isUnseen: boolean
}

/** A text-showing operation. */
export interface ShowOperation {
  stream: ContentStream
  /** Byte range of the operation in the decoded content. `end` is exclusive. */
  start: number
  end: number
  /** The spacing between characters (`Tc`), in ems along the line. */
  spacing: number
  /** Whether its glyphs are drawn as in a mirror. */
  isMirrored: boolean
  /** Number of the operation among those that show text or draw an image. */
  order: number
}

/** What places the glyphs of an operation, which are all on one line. */
export interface GlyphLine extends Pick<Baseline, 'angle' | 'size'> {
  shown: ShowOperation
  style: TextStyle
  isVertical: boolean
  /** Maps text space to default user space. */
  matrix: Matrix
  /** Bounds of the glyphs across the line, in text space. */
  low: number
  high: number
}

/** Numbers of a glyph: where it starts and ends on its baseline, and in text space along its line. */
export const NUMBERS = 6

/** Room for this many glyphs at first. */
const LEAST_ROOM = 256

/**
 * The glyphs of a page in the order of the content, in arrays. A glyph is its index in them. A page has thousands, so
 * whatever looks at all of them reads the arrays. `at` returns a glyph as an object.
 */
export class GlyphTable {
  count = 0
  readonly texts: string[] = []
  /** The kinds of the texts (`TextKinds`), and those that any text has. */
  kinds: Uint8Array
  allKinds = 0
  /** Whether a blank or a gap separates a glyph from the one before it in the content. */
  spaced: Uint8Array
  readonly lines: GlyphLine[] = []
  /** The index in `lines` of each glyph, and its place among the glyphs of that operation. */
  lineOf: Int32Array
  places: Int32Array
  /** `x`, `y`, `endX` and `endY` in default user space, then the start and the end in text space. */
  numbers: Float64Array
  private glyphs: Glyph[] = []
  private readonly ownTexts = new Map<number, string>()

  constructor(private readonly textKinds: TextKinds) {
    this.kinds = new Uint8Array(LEAST_ROOM)
    this.spaced = new Uint8Array(LEAST_ROOM)
    this.lineOf = new Int32Array(LEAST_ROOM)
    this.places = new Int32Array(LEAST_ROOM)
    this.numbers = new Float64Array(NUMBERS * LEAST_ROOM)
  }

  /** Removes all glyphs. The arrays stay, because new ones take time. */
  clear(): void {
    this.count = 0
    this.allKinds = 0
    this.texts.length = 0
    this.lines.length = 0
    this.glyphs = []
    this.ownTexts.clear()
    this.spaced.fill(0)
  }

  /** Makes room for one more glyph. Its numbers begin at `NUMBERS * count`. */
  reserve(): void {
    if (this.count < this.kinds.length) return
    const size = 2 * this.count
    this.kinds = extended(this.kinds, new Uint8Array(size))
    this.spaced = extended(this.spaced, new Uint8Array(size))
    this.lineOf = extended(this.lineOf, new Int32Array(size))
    this.places = extended(this.places, new Int32Array(size))
    this.numbers = extended(this.numbers, new Float64Array(NUMBERS * size))
  }

  /** Adds a glyph of the last line, whose numbers were written. */
  add(text: string, place: number): void {
    const at = this.count++
    const kind = this.textKinds.of(text)
    this.texts.push(text)
    this.kinds[at] = kind
    this.allKinds |= kind
    this.lineOf[at] = this.lines.length - 1
    this.places[at] = place
  }

  /** The glyph with this index. Always the same object. */
  at(index: number): Glyph {
    return (this.glyphs[index] ??= new Glyph(this, index))
  }

  /** The text of the glyph itself. */
  ownText(index: number): string {
    return this.ownTexts.get(index) ?? (this.texts[index] as string)
  }

  /** Sets the text of a glyph, or the one of the glyph itself. The other one stays. */
  setText(index: number, key: 'text' | 'ownText', text: string): void {
    if (key === 'ownText') {
      this.ownTexts.set(index, text)
      return
    }
    this.ownTexts.set(index, this.ownText(index))
    this.texts[index] = text
    const kind = this.textKinds.of(text)
    this.kinds[index] = kind
    this.allKinds |= kind
  }
}

/** Some glyphs of a table, in the order of the content. */
export interface GlyphList {
  table: GlyphTable
  indexes: Int32Array
}

/** The indexes for which `test` returns true. Faster than `filter` of typed arrays. */
export function indexesWhere(indexes: Int32Array, test: (at: number) => boolean): Int32Array {
  const found = new Int32Array(indexes.length)
  let count = 0
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] as number
    if (test(index)) found[count++] = index
  }
  return found.subarray(0, count)
}

function extended<Items extends Uint8Array | Int32Array | Float64Array>(items: Items, longer: Items): Items {
  longer.set(items)
  return longer
}

/** A character of a page, or several that one glyph shows. Positions are in default user space. */
export class Glyph implements Baseline, Bounds {
  private bounds: Bounds | undefined
  private space: boolean | undefined

  /** `at` is the index of the glyph in its table. */
  constructor(
    private readonly table: GlyphTable,
    readonly at: number,
  ) {}

  get text(): string {
    return this.table.texts[this.at] as string
  }

  set text(text: string) {
    this.table.setText(this.at, 'text', text)
  }

  /** The text of the glyph itself. Differs from `text` if /ActualText replaces it. */
  get ownText(): string {
    return this.table.ownText(this.at)
  }

  set ownText(text: string) {
    this.table.setText(this.at, 'ownText', text)
  }

  /** Whether a blank or a gap separates it from the glyph before it in the content. */
  get isSpaced(): boolean {
    return this.space ?? this.table.spaced[this.at] === 1
  }

  set isSpaced(isSpaced: boolean) {
    this.table.spaced[this.at] = isSpaced ? 1 : 0
  }

  get style(): TextStyle {
    return this.line.style
  }

  /** The operation that shows the glyph. */
  get shown(): ShowOperation {
    return this.line.shown
  }

  /** The position of the glyph among the glyphs of its operation. */
  get index(): number {
    return this.table.places[this.at] as number
  }

  get angle(): number {
    return this.line.angle
  }

  get size(): number {
    return this.line.size
  }

  get x(): number {
    return this.table.numbers[NUMBERS * this.at] as number
  }

  get y(): number {
    return this.table.numbers[NUMBERS * this.at + 1] as number
  }

  /** Where the glyph ends on its baseline, without the spacing between characters. */
  get endX(): number {
    return this.table.numbers[NUMBERS * this.at + 2] as number
  }

  get endY(): number {
    return this.table.numbers[NUMBERS * this.at + 3] as number
  }

  /** The bounds of the character on its line, from the metrics of the font. */
  get left(): number {
    return this.measured.left
  }

  get bottom(): number {
    return this.measured.bottom
  }

  get right(): number {
    return this.measured.right
  }

  get top(): number {
    return this.measured.top
  }

  /** Moves the end of the glyph on its baseline. */
  endAt(x: number, y: number): void {
    this.table.numbers[NUMBERS * this.at + 2] = x
    this.table.numbers[NUMBERS * this.at + 3] = y
  }

  /** Extends the bounds over those of another glyph. */
  cover({ left, bottom, right, top }: Bounds): void {
    this.bounds = {
      left: Math.min(this.left, left),
      bottom: Math.min(this.bottom, bottom),
      right: Math.max(this.right, right),
      top: Math.max(this.top, top),
    }
  }

  /** Returns a copy with the same positions. */
  withSpace(isSpaced: boolean): Glyph {
    const copy = new Glyph(this.table, this.at)
    copy.bounds = this.bounds
    copy.space = isSpaced
    return copy
  }

  private get line(): GlyphLine {
    const { table } = this
    return table.lines[table.lineOf[this.at] as number] as GlyphLine // each glyph has one
  }

  private get measured(): Bounds {
    return (this.bounds ??= this.measure())
  }

  private measure(): Bounds {
    const { matrix, isVertical, low, high } = this.line
    const [a, b, c, d, e, f] = matrix
    const { numbers } = this.table
    const start = numbers[NUMBERS * this.at + 4] as number
    const end = numbers[NUMBERS * this.at + 5] as number
    // Two opposite corners of the glyph in text space.
    const [x1, y1, x2, y2] = isVertical ? [low, start, high, end] : [start, low, end, high]
    return {
      left: Math.min(a * x1, a * x2) + Math.min(c * y1, c * y2) + e,
      bottom: Math.min(b * x1, b * x2) + Math.min(d * y1, d * y2) + f,
      right: Math.max(a * x1, a * x2) + Math.max(c * y1, c * y2) + e,
      top: Math.max(b * x1, b * x2) + Math.max(d * y1, d * y2) + f,
    }
  }
}

/** An image that a page draws, with its bounds in default user space. Clipping doesn't count. */
export interface DrawnImage extends Bounds, Pick<TextStyle, 'mcid' | 'isArtifact'> {
  isOpaque: boolean
  /** Number of the operation among those that show text or draw an image. */
  order: number
}
