import { emptyGlyph } from '../../fonts/font'
import type { Font, Glyph } from '../../fonts/font'
import { readString } from '../../syntax/operand-strings'
import { IDENTITY, chainMatrices } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import { ARRAY, HEX, LITERAL, NUMBER } from '../../syntax/content-operands'
import type { ContentReader } from '../../syntax/content-reader'
import type { GraphicsState } from './graphics-state'

/** A string of a text-showing operator, or a number of its array (thousandths of an em, moves the next glyph back). */
export type TextItem = Uint8Array | number

/** Receives the glyphs and gaps of a text-showing operation. Distances are in text space along the line. */
export interface TextVisitor {
  /**
   * `glyph` is in `bytes` at `at`, and is reused for the next one. `offset` is its distance from the start of the
   * operation, and `distance` the one to the next glyph.
   */
  glyph(bytes: Uint8Array, at: number, glyph: Glyph, offset: number, distance: number): void
  gap?(distance: number): void
}

/** Follows the position of text in a content stream (ISO 32000-2, 9.4). */
export class TextCursor {
  /** Maps text space to user space. */
  matrix: Matrix = IDENTITY
  private line: Matrix = IDENTITY
  private readonly glyph = emptyGlyph()

  /** Handles `BT`. */
  begin(): void {
    this.setLine(IDENTITY)
  }

  /** Handles `Td`, `TD`, `Tm` and `T*`, and the new line of `'` and `"`. Returns whether the operator is one of them. */
  move(reader: ContentReader, { leading }: GraphicsState): boolean {
    switch (reader.operator) {
      case 'Td':
      case 'TD':
        this.moveBy(reader.number(1), reader.number(0))
        return true
      case 'Tm':
        this.setLine(reader.matrix())
        return true
      case 'T*':
      case "'":
      case '"':
        this.moveBy(0, -leading)
        return true
      default:
        return false
    }
  }

  /**
   * Visits the glyphs and gaps of a text-showing operation. Afterwards, the matrix is after the last glyph. Glyphs that
   * the visitor gets are relative to the matrix before.
   */
  show(items: readonly TextItem[], font: Font, state: GraphicsState, visitor: TextVisitor): void {
    const { glyph } = this
    const { fontSize, characterSpacing, wordSpacing } = state
    const scale = font.isVertical ? 1 : state.horizontalScale
    let offset = 0
    for (const item of items) {
      if (typeof item === 'number') {
        const distance = (-item / 1000) * fontSize * scale
        visitor.gap?.(distance)
        offset += distance
        continue
      }
      for (let at = 0; at < item.length; at += glyph.length) {
        font.read(item, at, glyph)
        const spacing = characterSpacing + (glyph.length === 1 && glyph.code === 32 ? wordSpacing : 0)
        const distance = (glyph.advance * fontSize + spacing) * scale
        visitor.glyph(item, at, glyph, offset, distance)
        offset += distance
      }
    }
    this.matrix = chainMatrices(font.isVertical ? [1, 0, 0, 1, 0, offset] : [1, 0, 0, 1, offset, 0], this.matrix)
  }

  private moveBy(x: number, y: number): void {
    this.setLine(chainMatrices([1, 0, 0, 1, x, y], this.line))
  }

  private setLine(matrix: Matrix): void {
    this.matrix = this.line = matrix
  }
}

/** The strings and numbers of the text-showing operator that was read last. */
export function readTextItems({ bytes, operands, items }: ContentReader): TextItem[] {
  const last = operands.count - 1
  const source = operands.kinds[last] === ARRAY ? items : operands
  const list: TextItem[] = []
  for (let index = source === items ? 0 : Math.max(0, last); index < source.count; index++) {
    const kind = source.kinds[index] as number
    if (kind === LITERAL || kind === HEX)
      list.push(readString(bytes, kind, source.starts[index] as number, source.ends[index] as number))
    else if (kind === NUMBER && source === items) list.push(source.values[index] as number)
  }
  return list
}
