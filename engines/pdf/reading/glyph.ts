import type { ContentStream } from '../content/walk/content-stream'
import type { Bounds } from '../geometry/geometry'

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

/** Numbers of a glyph: where it starts and ends on its baseline, and its bounds. */
const NUMBERS = 8

/** Numbers of this many glyphs share an array. */
const GLYPHS_PER_ARRAY = 512

/**
 * A character of a page, or several that one glyph shows. Positions are in default user space. They are in an array that
 * other glyphs share, because each number in a field would be an object of its own.
 */
export class Glyph implements Baseline, Bounds {
  /** The text of the glyph itself. Differs from `text` if /ActualText replaces it. */
  ownText: string
  /** Whether a blank or a gap separates it from the glyph before it in the content. */
  isSpaced = false

  /**
   * `line` has the angle and the size, and `numbers` the positions from index `at`. `shown` is the operation that shows
   * the glyph, and `index` its place among the glyphs of that operation.
   */
  constructor(
    public text: string,
    public style: TextStyle,
    readonly shown: ShowOperation,
    readonly index: number,
    private readonly line: Pick<Baseline, 'angle' | 'size'>,
    private readonly numbers: Float64Array,
    private readonly at: number,
  ) {
    this.ownText = text
  }

  get angle(): number {
    return this.line.angle
  }

  get size(): number {
    return this.line.size
  }

  get x(): number {
    return this.numbers[this.at] as number
  }

  get y(): number {
    return this.numbers[this.at + 1] as number
  }

  /** Where the glyph ends on its baseline, without the spacing between characters. */
  get endX(): number {
    return this.numbers[this.at + 2] as number
  }

  get endY(): number {
    return this.numbers[this.at + 3] as number
  }

  /** The bounds of the character on its line, from the metrics of the font. */
  get left(): number {
    return this.numbers[this.at + 4] as number
  }

  get bottom(): number {
    return this.numbers[this.at + 5] as number
  }

  get right(): number {
    return this.numbers[this.at + 6] as number
  }

  get top(): number {
    return this.numbers[this.at + 7] as number
  }

  /** Moves the end of the glyph on its baseline. */
  endAt(x: number, y: number): void {
    this.numbers[this.at + 2] = x
    this.numbers[this.at + 3] = y
  }

  /** Extends the bounds over those of another glyph. */
  cover({ left, bottom, right, top }: Bounds): void {
    const { numbers, at } = this
    numbers[at + 4] = Math.min(this.left, left)
    numbers[at + 5] = Math.min(this.bottom, bottom)
    numbers[at + 6] = Math.max(this.right, right)
    numbers[at + 7] = Math.max(this.top, top)
  }

  /** Returns a copy with the same positions. */
  withSpace(isSpaced: boolean): Glyph {
    const copy = new Glyph(this.text, this.style, this.shown, this.index, this.line, this.numbers, this.at)
    copy.ownText = this.ownText
    copy.isSpaced = isSpaced
    return copy
  }
}

/** Room for the numbers of glyphs, one after another. */
export class GlyphNumbers {
  /** The array of the current glyph, and where its numbers begin. */
  array = new Float64Array(NUMBERS * GLYPHS_PER_ARRAY)
  at = 0

  /** Keeps the numbers of the current glyph, and moves to the next one. */
  advance(): void {
    this.at += NUMBERS
    if (this.at < this.array.length) return
    this.array = new Float64Array(NUMBERS * GLYPHS_PER_ARRAY)
    this.at = 0
  }
}

/** An image that a page draws, with its bounds in default user space. Clipping doesn't count. */
export interface DrawnImage extends Bounds, Pick<TextStyle, 'mcid' | 'isArtifact'> {
  isOpaque: boolean
  /** Number of the operation among those that show text or draw an image. */
  order: number
}
