import type { GraphicsState } from '../content/walk/graphics-state'
import type { TextVisitor } from '../content/walk/text-cursor'
import type { Font, Glyph as GlyphMetrics } from '../fonts/font'
import { chainMatrices } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { Glyph, GlyphNumbers } from './glyph'
import type { Baseline, ShowOperation, TextStyle } from './glyph'
import { SAME_ANGLE } from './line-geometry'

/** Only these many glyphs of a page are read. */
const MAX_GLYPHS = 300_000

/** Only text of about this length is read. A single code may stand for a long text. */
const MAX_TEXT = 3_000_000

/** A text-showing operation: what its glyphs have in common, and whether they are left out. */
interface Showing {
  style: TextStyle
  shown: ShowOperation
  isHidden: boolean
}

/** Places the glyphs of text-showing operations in default user space. */
export class GlyphPlacement implements TextVisitor {
  /** The glyphs with a position, in the order of the content. */
  readonly glyphs: Glyph[] = []
  private textLength = 0
  private readonly numbers = new GlyphNumbers()
  private showing: Showing | undefined
  private state: GraphicsState | undefined
  private font: Font | undefined
  private line: Pick<Baseline, 'angle' | 'size'> = { angle: 0, size: 0 }
  /** Number of glyphs of the operation so far. */
  private index = 0
  /** Maps text space to default user space. */
  private a = 1
  private b = 0
  private c = 0
  private d = 1
  private e = 0
  private f = 0
  /** Bounds of the glyphs across the line, in text space. Together they are one em high. */
  private bottom = 0
  private top = 0

  /** Whether there are more glyphs than are read, or more text. */
  get isCut(): boolean {
    return this.glyphs.length >= MAX_GLYPHS || this.textLength >= MAX_TEXT
  }

  /** Counts text that replaces the one of glyphs. */
  countText(text: string): void {
    this.textLength += text.length
  }

  /**
   * Begins an operation. `text` maps text space to user space at its start. Sets the spacing between characters and
   * `isMirrored` in `showing.shown`.
   */
  begin(font: Font, text: Matrix, state: GraphicsState, showing: Showing): void {
    this.index = 0
    this.showing = showing
    this.font = font
    this.state = state
    const [a, b, c, d, e, f] = chainMatrices(text, state.matrix)
    this.a = a
    this.b = b
    this.c = c
    this.d = d
    this.e = e
    this.f = f
    const scale = font.isVertical ? -1 : state.horizontalScale
    // Glyphs follow each other against the axis of text space if this is negative.
    const along = state.fontSize * scale < 0 ? -1 : 1
    const angle = font.isVertical ? angleOf(c * along, d * along) : angleOf(a * along, b * along)
    const height = font.ascent - font.descent
    const em = font.procedureOf && height > 0 ? height : 1
    const length = font.isVertical ? Math.hypot(c, d) : Math.hypot(a, b)
    const size = (Math.abs(state.fontSize * (a * d - b * c)) / length) * em
    this.line = { angle, size }
    this.bottom = height > 0 ? (font.descent / height) * em : 0
    this.top = height > 0 ? (font.ascent / height) * em : 1
    const spacing = state.characterSpacing * (font.isVertical ? 1 : scale) * along
    showing.shown.spacing = (spacing * length) / size || 0
    showing.shown.isMirrored = (a * d - b * c) * state.horizontalScale < 0
  }

  /** Adds a glyph at a distance from the start of the operation, unless it has no position. */
  glyph(_bytes: Uint8Array, _at: number, metrics: GlyphMetrics, offset: number): void {
    const { font, showing, numbers } = this
    const index = this.index++
    if (!font || !showing || showing.isHidden || this.isCut || !this.place(metrics.advance, offset)) return
    const text = font.textOf(metrics.code, metrics.length)?.text ?? ''
    this.glyphs.push(new Glyph(text, showing.style, showing.shown, index, this.line, numbers.array, numbers.at))
    this.textLength += text.length
    numbers.advance()
  }

  /** Writes the numbers of the current glyph. `ems` is its advance. Returns whether all are finite. */
  private place(ems: number, offset: number): boolean {
    const { state, font, a, b, c, d, e, f } = this
    if (!state || !font || !(this.line.size > 0)) return false
    const { fontSize, horizontalScale, rise } = state
    const { isVertical } = font
    const advance = ems * fontSize
    const half = Math.abs(fontSize * horizontalScale) / 2
    const x = isVertical ? 0 : offset
    const y = isVertical ? offset + rise : rise
    const endX = isVertical ? x : x + advance * horizontalScale
    const endY = isVertical ? y + advance : y
    // Two opposite corners of the glyph.
    const x1 = isVertical ? -half : x
    const x2 = isVertical ? half : endX
    const y1 = isVertical ? y : y + this.bottom * fontSize
    const y2 = isVertical ? endY : y + this.top * fontSize
    const { array, at } = this.numbers
    array[at] = a * x + c * y + e
    array[at + 1] = b * x + d * y + f
    array[at + 2] = a * endX + c * endY + e
    array[at + 3] = b * endX + d * endY + f
    array[at + 4] = Math.min(a * x1, a * x2) + Math.min(c * y1, c * y2) + e
    array[at + 5] = Math.min(b * x1, b * x2) + Math.min(d * y1, d * y2) + f
    array[at + 6] = Math.max(a * x1, a * x2) + Math.max(c * y1, c * y2) + e
    array[at + 7] = Math.max(b * x1, b * x2) + Math.max(d * y1, d * y2) + f
    // A sum of finite numbers of this size is finite. Any other value makes it NaN or infinite.
    let sum = this.line.size + this.line.angle
    for (let index = at; index < at + 8; index++) sum += array[index] as number
    return Number.isFinite(sum)
  }
}

/** The angle of a direction in radians. Lines upside down have about the same angle, whatever the sign of their slope. */
function angleOf(x: number, y: number): number {
  const angle = Math.atan2(y, x)
  return angle < SAME_ANGLE - Math.PI ? angle + 2 * Math.PI : angle
}
