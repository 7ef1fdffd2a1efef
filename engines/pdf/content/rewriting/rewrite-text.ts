import { IDENTITY, chainMatrices } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import { writeNumber } from '../../syntax/number-text'
import { ARRAY, HEX, LITERAL, NUMBER } from '../../syntax/content-operands'
import type { Operands } from '../../syntax/content-operands'
import type { Element, Verdict } from './content-filter'
import { emptyGlyph } from '../../fonts/font'
import type { Font } from '../../fonts/font'
import { boundsOf, largestScaleOf, mapCorners } from '../../geometry/geometry'
import type { InterpreterState } from './interpreter-state'
import { readString, writeString } from '../../syntax/operand-strings'

/** A string of a text-showing operator, or a number of its array (thousandths of an em, moves the next glyph back). */
type Item = Uint8Array | number

/** Text rendering modes from this one on add glyphs to the clipping path. */
const CLIPS = 4

/** Clips all content that follows. */
const EMPTY_CLIP = '0 0 0 0 re W n'

/**
 * Handles the text of a content stream (ISO 32000-2, 9.4). Replaces removed glyphs with their advance, so that the text
 * after them stays in place.
 */
export class TextOperators {
  /** Maps text space to user space. `line` is the matrix at the start of the current line. */
  private matrix: Matrix = IDENTITY
  private line: Matrix = IDENTITY
  /** Advance of removed glyphs since the last remaining glyph, in text space along the line. */
  private pending = 0
  /** The matrix at the start of the text-showing operation. Glyph boxes are relative to it. */
  private origin: Matrix = IDENTITY
  private clipsKept = 0
  private clipsRemoved = 0
  private readonly glyph = emptyGlyph()

  constructor(private readonly scene: InterpreterState) {}

  begin(): void {
    this.setLine(IDENTITY)
    this.clipsKept = this.clipsRemoved = 0
  }

  /**
   * Handles `ET`. If all glyphs of a clipping text object were removed, adds an empty clipping path. Otherwise there
   * would be no clipping at all.
   */
  end(): void {
    this.pending = 0
    const { reader, edits } = this.scene
    if (this.clipsRemoved > 0 && this.clipsKept === 0) edits.replace(reader.end, reader.end, EMPTY_CLIP)
    this.clipsKept = this.clipsRemoved = 0
  }

  setLine(matrix: Matrix): void {
    this.matrix = this.line = matrix
    this.pending = 0
  }

  move(x: number, y: number): void {
    this.setLine(chainMatrices([1, 0, 0, 1, x, y], this.line))
  }

  nextLine(): void {
    this.move(0, -this.scene.state.leading)
  }

  /** Handles `Tj`, `TJ`, `'` and `"`. */
  show(): void {
    const { reader, state } = this.scene
    const { operator } = reader
    if (operator === "'" || operator === '"') this.nextLine()
    const items = readItems(reader.bytes, reader.operands, reader.items)
    // Without a font, readers show nothing and don't advance.
    const { font } = this.scene
    const shown = font ? this.place(items, font) : ''
    if (shown === undefined) return
    const spacing =
      operator === '"' ? `${writeNumber(state.wordSpacing)} Tw ${writeNumber(state.characterSpacing)} Tc ` : ''
    const down = operator === "'" || operator === '"' ? `${spacing}T* ` : ''
    this.scene.edits.replace(reader.start, reader.end, `${down}${shown}`.trim())
  }

  /** Advances over the items. Returns operators that show the remaining glyphs. Undefined if all glyphs stay. */
  private place(items: readonly Item[], font: Font): string | undefined {
    const { scene } = this
    const pendingBefore = this.pending
    const start = this.matrix
    const { verdict, count } = this.judge(items, font)
    if (verdict === 'keep' && pendingBefore === 0 && !font.procedureOf) {
      this.note(count, 0)
      return undefined
    }
    this.matrix = start
    const writer = new RunWriter(this.unit(font))
    writer.move(pendingBefore)
    let [kept, removed] = [0, 0]
    this.walk(items, font, {
      glyph: (bytes, at, distance, box) => {
        const stays = verdict === 'keep' || (verdict === 'cut' && this.keeps(box))
        if (stays) {
          writer.glyph(bytes, at, this.glyph.length)
          kept++
        } else {
          writer.move(distance)
          removed++
        }
        const procedure = font.procedureOf?.(this.glyph.code)
        if (procedure !== undefined) scene.resources.noteProcedure(scene.state.fontName, procedure, stays)
      },
      gap: distance => writer.move(distance),
    })
    this.note(kept, removed)
    if (removed === 0 && pendingBefore === 0) return undefined
    this.pending = writer.rest
    return writer.finish()
  }

  private note(kept: number, removed: number): void {
    this.scene.count(kept, removed)
    if (this.scene.state.renderMode < CLIPS) return
    this.clipsKept += kept
    this.clipsRemoved += removed
  }

  /** The length of one unit of `TJ` numbers (a thousandth of an em) in text space. */
  private unit(font: Font): number {
    const { fontSize, horizontalScale } = this.scene.state
    return (fontSize * (font.isVertical ? 1 : horizontalScale)) / 1000
  }

  /** Decides on all glyphs together, and counts them. Afterwards, the matrix is after the last glyph. */
  private judge(items: readonly Item[], font: Font): { verdict: Verdict; count: number } {
    const whole: GlyphBox = [Infinity, Infinity, -Infinity, -Infinity]
    let count = 0
    this.walk(items, font, {
      glyph: (_bytes, _at, _distance, [left, bottom, right, top]) => {
        if (left < whole[0]) whole[0] = left
        if (bottom < whole[1]) whole[1] = bottom
        if (right > whole[2]) whole[2] = right
        if (top > whole[3]) whole[3] = top
        count++
      },
      gap: () => undefined,
    })
    if (count === 0) return { verdict: 'keep', count }
    const verdict = this.scene.filter.decide({
      ...this.element('run', whole),
      ...(this.scene.filter.readsCodes ? { codes: codesOf(items) } : {}),
    })
    // With estimated advances, glyph positions aren't exact. So text that touches the remaining area stays completely.
    if (verdict !== 'cut' || font.isExact) return { verdict, count }
    this.scene.filter.doubt?.()
    return { verdict: 'keep', count }
  }

  private keeps(box: GlyphBox): boolean {
    const { font } = this.scene
    const { fontSize, rise } = this.scene.state
    const element = this.element('glyph', box)
    // Type 3 glyphs state their own boxes. For other fonts, the boxes are often much larger than the letters.
    const isLetter = fontSize > 0 && font && !font.isVertical && !font.procedureOf && box[3] > box[1]
    return (
      this.scene.filter.decide(isLetter ? { ...element, baseline: (rise - box[1]) / (box[3] - box[1]) } : element) !==
      'remove'
    )
  }

  private element(kind: 'run' | 'glyph', [left, bottom, right, top]: GlyphBox): Element {
    const { state } = this.scene
    const toUser = chainMatrices(this.origin, state.matrix)
    const quad = mapCorners(toUser, { left, bottom, right, top })
    return {
      kind,
      quad,
      bounds: boundsOf(quad),
      clip: state.clip,
      em: Math.abs(state.fontSize) * largestScaleOf(toUser),
      renderMode: state.renderMode,
    }
  }

  /** Visits the glyphs and gaps of a text-showing operation. Afterwards, the matrix is after the last glyph. */
  private walk(items: readonly Item[], font: Font, visit: Visitor): void {
    const { glyph } = this
    const { fontSize, characterSpacing, wordSpacing, horizontalScale, rise } = this.scene.state
    const across = font.isVertical ? 1 : horizontalScale
    this.origin = this.matrix
    let at = 0
    const box: GlyphBox = [0, 0, 0, 0]
    for (const item of items) {
      if (typeof item === 'number') {
        const distance = (-item / 1000) * fontSize * across
        visit.gap(distance)
        at += distance
        continue
      }
      for (let index = 0; index < item.length; index += glyph.length) {
        font.read(item, index, glyph)
        const spacing = characterSpacing + (glyph.length === 1 && glyph.code === 32 ? wordSpacing : 0)
        const distance = (glyph.advance * fontSize + spacing) * across
        const [x, y] = font.isVertical ? [0, at] : [at, 0]
        const [one, other] = [x + glyph.left * fontSize * horizontalScale, x + glyph.right * fontSize * horizontalScale]
        const [low, high] = [y + rise + glyph.bottom * fontSize, y + rise + glyph.top * fontSize]
        box[0] = Math.min(one, other)
        box[1] = Math.min(low, high)
        box[2] = Math.max(one, other)
        box[3] = Math.max(low, high)
        visit.glyph(item, index, distance, box)
        at += distance
      }
    }
    this.matrix = chainMatrices(font.isVertical ? [1, 0, 0, 1, 0, at] : [1, 0, 0, 1, at, 0], this.origin)
  }
}

function codesOf(items: readonly Item[]): string {
  return items.map(item => (typeof item === 'number' ? '' : Buffer.from(item).toString('latin1'))).join('')
}

/** Left, bottom, right, top in text space, relative to the start of the text-showing operation. */
type GlyphBox = [number, number, number, number]

interface Visitor {
  /** The box is reused for the next glyph. */
  glyph(bytes: Uint8Array, at: number, distance: number, box: GlyphBox): void
  gap(distance: number): void
}

function readItems(bytes: Uint8Array, operands: Operands, items: Operands): Item[] {
  const last = operands.count - 1
  const source = operands.kinds[last] === ARRAY ? items : operands
  const list: Item[] = []
  for (let index = source === items ? 0 : Math.max(0, last); index < source.count; index++) {
    const kind = source.kinds[index] as number
    if (kind === LITERAL || kind === HEX)
      list.push(readString(bytes, kind, source.starts[index] as number, source.ends[index] as number))
    else if (kind === NUMBER && source === items) list.push(source.values[index] as number)
  }
  return list
}

/** Writes a text-showing operation glyph by glyph. */
class RunWriter {
  /** Distance since the last written glyph, in text space. */
  rest = 0
  private readonly items: string[] = []
  private readonly bytes: number[] = []

  /** `unit` is the distance of the number 1. */
  constructor(private readonly unit: number) {}

  glyph(bytes: Uint8Array, at: number, length: number): void {
    if (Math.abs(this.rest) > Math.abs(this.unit) * 1e-3) {
      this.flush()
      if (this.unit !== 0) this.items.push(writeNumber(Math.round((-this.rest / this.unit) * 1e4) / 1e4))
    }
    this.rest = 0
    for (let index = 0; index < length; index++) this.bytes.push(bytes[at + index] as number)
  }

  move(distance: number): void {
    this.rest += distance
  }

  finish(): string {
    this.flush()
    return this.items.length ? `[${this.items.join('')}] TJ` : ''
  }

  private flush(): void {
    if (this.bytes.length === 0) return
    this.items.push(writeString(Uint8Array.from(this.bytes)))
    this.bytes.length = 0
  }
}
