import type { GraphicsState } from '../content/walk/graphics-state'
import type { Font, Glyph as GlyphMetrics } from '../fonts/font'
import { boundsOf, mapCorners } from '../geometry/geometry'
import { IDENTITY, chainMatrices } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import type { Glyph } from './glyph'

type Position = Omit<Glyph, 'text' | 'ownText' | 'isSpaced' | 'style' | 'shown' | 'index'>

/** Lines whose angles differ by at most this, in radians, may be the same line. */
const SAME_ANGLE = 0.02

/** Places the glyphs of a text-showing operation in default user space. */
export class GlyphPlacement {
  private toUser: Matrix = IDENTITY
  private state: GraphicsState | undefined
  private font: Font | undefined
  private angle = 0
  private size = 0
  /** Bounds of the glyphs across the line, in text space. Together they are one em high. */
  private bottom = 0
  private top = 0

  /**
   * `text` maps text space to user space at the start of the operation. Returns the spacing between characters, in ems
   * along the line.
   */
  begin(font: Font, text: Matrix, state: GraphicsState): number {
    this.font = font
    this.state = state
    this.toUser = chainMatrices(text, state.matrix)
    const [a, b, c, d] = this.toUser
    const scale = font.isVertical ? -1 : state.horizontalScale
    // Glyphs follow each other against the axis of text space if this is negative.
    const along = state.fontSize * scale < 0 ? -1 : 1
    this.angle = font.isVertical ? angleOf(c * along, d * along) : angleOf(a * along, b * along)
    const height = font.ascent - font.descent
    const em = font.procedureOf && height > 0 ? height : 1
    const length = font.isVertical ? Math.hypot(c, d) : Math.hypot(a, b)
    this.size = (Math.abs(state.fontSize * (a * d - b * c)) / length) * em
    this.bottom = height > 0 ? (font.descent / height) * em : 0
    this.top = height > 0 ? (font.ascent / height) * em : 1
    const spacing = state.characterSpacing * (font.isVertical ? 1 : scale) * along
    return (spacing * length) / this.size || 0
  }

  /** The position of a glyph at a distance from the start of the operation. Undefined if it has none. */
  place(glyph: GlyphMetrics, offset: number): Position | undefined {
    const { toUser, state, font, angle, size } = this
    if (!state || !font) return undefined
    const { fontSize, horizontalScale, rise } = state
    const advance = glyph.advance * fontSize
    const [x, y] = font.isVertical ? [0, offset + rise] : [offset, rise]
    const [endX, endY] = font.isVertical ? [x, y + advance] : [x + advance * horizontalScale, y]
    const half = (fontSize * horizontalScale) / 2
    const corners = font.isVertical
      ? { left: -Math.abs(half), right: Math.abs(half), bottom: Math.min(y, endY), top: Math.max(y, endY) }
      : {
          left: Math.min(x, endX),
          right: Math.max(x, endX),
          bottom: Math.min(y + this.bottom * fontSize, y + this.top * fontSize),
          top: Math.max(y + this.bottom * fontSize, y + this.top * fontSize),
        }
    const [a, b, c, d, e, f] = toUser
    const position = {
      x: a * x + c * y + e,
      y: b * x + d * y + f,
      endX: a * endX + c * endY + e,
      endY: b * endX + d * endY + f,
      angle,
      size,
      ...boundsOf(mapCorners(toUser, corners)),
    }
    return size > 0 && isFinitePosition(position) ? position : undefined
  }
}

/** The angle of a direction in radians. Lines upside down have about the same angle, whatever the sign of their slope. */
function angleOf(x: number, y: number): number {
  const angle = Math.atan2(y, x)
  return angle < SAME_ANGLE - Math.PI ? angle + 2 * Math.PI : angle
}

function isFinitePosition({ x, y, endX, endY, left, bottom, right, top, size, angle }: Position): boolean {
  // A sum of finite numbers of this size is finite. Any other value makes it NaN or infinite.
  return Number.isFinite(x + y + endX + endY + left + bottom + right + top + size + angle)
}
