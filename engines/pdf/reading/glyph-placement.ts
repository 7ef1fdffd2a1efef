import type { GraphicsState } from '../content/walk/graphics-state'
import type { TextVisitor } from '../content/walk/text-cursor'
import type { Font, Glyph as GlyphMetrics } from '../fonts/font'
import { chainMatrices } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { NUMBERS } from './glyph'
import type { GlyphLine, GlyphTable, ShowOperation, TextStyle } from './glyph'
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

/** Positions beyond this aren't read, in user space units. */
const FARTHEST = 1e300

/** Places the glyphs of text-showing operations in default user space. */
export class GlyphPlacement implements TextVisitor {
  private textLength = 0
  private font: Font | undefined
  /** Whether the glyphs of the operation have a position and aren't left out. */
  private isPlaced = false
  private isVertical = false
  private fontSize = 0
  private horizontalScale = 1
  private rise = 0
  /** Number of glyphs of the operation so far. */
  private index = 0
  /** Maps text space to default user space. */
  private a = 1
  private b = 0
  private c = 0
  private d = 1
  private e = 0
  private f = 0

  /** `table` receives the glyphs with a position, in the order of the content. */
  constructor(readonly table: GlyphTable) {}

  /** Whether there are more glyphs than are read, or more text. */
  get isCut(): boolean {
    return this.table.count >= MAX_GLYPHS || this.textLength >= MAX_TEXT
  }

  /** Counts text that replaces the one of glyphs. */
  countText(text: string): void {
    this.textLength += text.length
  }

  /**
   * Begins an operation. `text` maps text space to user space at its start. Sets the spacing between characters and
   * `isMirrored` in `showing.shown`. Returns the line of its glyphs.
   */
  begin(font: Font, text: Matrix, state: GraphicsState, { style, shown, isHidden }: Showing): GlyphLine {
    const { fontSize, horizontalScale, rise } = state
    const { isVertical } = font
    const matrix = chainMatrices(text, state.matrix)
    const [a, b, c, d, e, f] = matrix
    this.index = 0
    this.font = font
    this.isVertical = isVertical
    this.fontSize = fontSize
    this.horizontalScale = horizontalScale
    this.rise = rise
    this.a = a
    this.b = b
    this.c = c
    this.d = d
    this.e = e
    this.f = f
    const scale = isVertical ? -1 : horizontalScale
    // Glyphs follow each other against the axis of text space if this is negative.
    const along = fontSize * scale < 0 ? -1 : 1
    const angle = isVertical ? angleOf(c * along, d * along) : angleOf(a * along, b * along)
    const height = font.ascent - font.descent
    const em = font.procedureOf && height > 0 ? height : 1
    const length = isVertical ? Math.hypot(c, d) : Math.hypot(a, b)
    const size = (Math.abs(fontSize * (a * d - b * c)) / length) * em
    const spacing = state.characterSpacing * (isVertical ? 1 : scale) * along
    shown.spacing = (spacing * length) / size || 0
    shown.isMirrored = (a * d - b * c) * horizontalScale < 0
    // Together, the bounds across the line are one em high.
    const half = Math.abs(fontSize * horizontalScale) / 2
    const low = isVertical ? -half : rise + (height > 0 ? (font.descent / height) * em : 0) * fontSize
    const high = isVertical ? half : rise + (height > 0 ? (font.ascent / height) * em : 1) * fontSize
    const isNear = Math.abs(a * low) + Math.abs(b * low) + Math.abs(c * low) + Math.abs(d * low) < FARTHEST
    const isFar = !(Math.abs(a * high) + Math.abs(b * high) + Math.abs(c * high) + Math.abs(d * high) < FARTHEST)
    this.isPlaced = !isHidden && size > 0 && Number.isFinite(size + angle) && isNear && !isFar
    const line = { shown, style, angle, size, isVertical, matrix, low, high }
    if (this.isPlaced) this.table.lines.push(line)
    return line
  }

  /** Adds a glyph at a distance from the start of the operation, unless it has no position. */
  glyph(_bytes: Uint8Array, _at: number, metrics: GlyphMetrics, offset: number): void {
    const { font, table } = this
    const index = this.index++
    if (!font || !this.isPlaced || this.isCut) return
    table.reserve()
    if (!this.place(table.numbers, NUMBERS * table.count, metrics.advance, offset)) return
    const text = font.textOf(metrics.code, metrics.length)?.text ?? ''
    table.add(text, index)
    this.textLength += text.length
  }

  /** Writes the numbers of the current glyph from `at`. `ems` is its advance. Returns whether it has a position. */
  private place(numbers: Float64Array, at: number, ems: number, offset: number): boolean {
    const { isVertical, fontSize, rise, a, b, c, d, e, f } = this
    const advance = ems * fontSize
    const x = isVertical ? 0 : offset
    const y = isVertical ? offset + rise : rise
    const endX = isVertical ? x : x + advance * this.horizontalScale
    const endY = isVertical ? y + advance : y
    const left = a * x + c * y + e
    const up = b * x + d * y + f
    const right = a * endX + c * endY + e
    const endUp = b * endX + d * endY + f
    numbers[at] = left
    numbers[at + 1] = up
    numbers[at + 2] = right
    numbers[at + 3] = endUp
    numbers[at + 4] = isVertical ? y : x
    numbers[at + 5] = isVertical ? endY : endX
    // Not true if one of them isn't a number.
    return Math.abs(left) + Math.abs(up) + Math.abs(right) + Math.abs(endUp) < FARTHEST
  }
}

/** The angle of a direction in radians. Lines upside down have about the same angle, whatever the sign of their slope. */
function angleOf(x: number, y: number): number {
  const angle = Math.atan2(y, x)
  return angle < SAME_ANGLE - Math.PI ? angle + 2 * Math.PI : angle
}
