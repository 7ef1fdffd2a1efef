import { TextCursor, readTextItems } from '../walk/text-cursor'
import type { TextItem } from '../walk/text-cursor'
import { IDENTITY, chainMatrices } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import { MAX_OPERANDS } from '../../syntax/content-operands'
import { writeNumber } from '../../syntax/number-text'
import type { Element, Verdict } from './content-filter'
import type { Font, Glyph } from '../../fonts/font'
import { boundsOf, largestScaleOf, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import type { InterpreterState } from './interpreter-state'
import { writeString } from '../../syntax/operand-strings'

/** Text rendering modes from this one on add glyphs to the clipping path. */
const CLIPS = 4

/** Operators that show what remains of a text-showing operation, and whether they mean the same. */
interface Shown {
  text: string
  isSame: boolean
}

const NOTHING_SHOWN: Shown = { text: '', isSame: false }

/** Clips all content that follows. */
const EMPTY_CLIP = '0 0 0 0 re W n'

/**
 * Handles the text of a content stream (ISO 32000-2, 9.4). Replaces removed glyphs with their advance, so that the text
 * after them stays in place. All advances and gaps between two remaining glyphs become one number, because several would
 * tell the widths of the removed glyphs.
 */
export class TextOperators {
  private readonly cursor = new TextCursor()
  /** Advance of removed glyphs since the last remaining glyph, in text space along the line. */
  private pending = 0
  /** Maps the text space of the text-showing operation, to which glyph boxes are relative, to user space. */
  private toUser: Matrix = IDENTITY
  /** The size of an em in user space. */
  private em = 0
  private clipsKept = 0
  private clipsRemoved = 0

  constructor(private readonly scene: InterpreterState) {}

  begin(): void {
    this.cursor.begin()
    this.pending = 0
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

  /** Handles `Td`, `TD`, `Tm` and `T*`. */
  move(): void {
    this.cursor.move(this.scene.reader, this.scene.state)
    this.pending = 0
  }

  /** Handles `Tj`, `TJ`, `'` and `"`. */
  show(): void {
    const { reader, state } = this.scene
    const { operator } = reader
    if (operator === "'" || operator === '"') this.move()
    const items = readTextItems(reader)
    // Without a font, readers show nothing and don't advance.
    const { font } = this.scene
    const shown = font ? this.place(items, font) : NOTHING_SHOWN
    if (shown === undefined) return
    const spacing =
      operator === '"' ? `${writeNumber(state.wordSpacing)} Tw ${writeNumber(state.characterSpacing)} Tc ` : ''
    const down = operator === "'" || operator === '"' ? `${spacing}T* ` : ''
    const { edits } = this.scene
    const text = `${down}${shown.text}`.trim()
    if (shown.isSame) edits.tidy(reader.start, reader.end, text)
    else edits.replace(reader.start, reader.end, text)
  }

  /**
   * Advances over the items. Returns operators that show the remaining glyphs, and whether all glyphs stay. Undefined if
   * the operation doesn't change.
   */
  private place(items: readonly TextItem[], font: Font): Shown | undefined {
    const { scene } = this
    const pendingBefore = this.pending
    const start = this.cursor.matrix
    const { verdict, count } = this.judge(items, font)
    // A gap at the end counts as one before the next glyph.
    const endsInGap =
      items.length < MAX_OPERANDS &&
      typeof items.findLast(item => typeof item === 'number' || item.length > 0) === 'number'
    if (verdict === 'keep' && pendingBefore === 0 && !endsInGap && !font.procedureOf) {
      this.record(count, 0)
      return undefined
    }
    this.cursor.matrix = start
    const writer = new RunWriter(this.unit(font))
    writer.move(pendingBefore)
    let [kept, removed] = [0, 0]
    this.walk(items, font, {
      glyph: (bytes, at, { glyph, distance, box, far }) => {
        const stays = verdict === 'keep' || (verdict === 'cut' && this.keeps(box, far))
        if (stays) {
          writer.glyph(bytes, at, glyph.length)
          kept++
        } else {
          writer.move(distance)
          removed++
        }
        const procedure = font.procedureOf?.(glyph.code)
        if (procedure !== undefined) scene.resources.recordProcedure(scene.state.fontName, procedure, stays)
      },
      gap: distance => writer.move(distance),
    })
    this.record(kept, removed)
    if (removed === 0 && pendingBefore === 0 && !endsInGap) return undefined
    this.pending = writer.pendingDistance
    return { text: writer.finish(), isSame: removed === 0 }
  }

  private record(kept: number, removed: number): void {
    this.scene.count({ kept, removed })
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
  private judge(items: readonly TextItem[], font: Font): { verdict: Verdict; count: number } {
    const whole: GlyphBox = [Infinity, Infinity, -Infinity, -Infinity]
    let count = 0
    this.walk(items, font, {
      glyph: (_bytes, _at, { box, far }) => {
        extend(whole, box)
        for (const ink of far) extend(whole, ink)
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

  private keeps(box: GlyphBox, far: readonly GlyphBox[]): boolean {
    if (far.some(ink => this.scene.filter.decide(this.element('glyph', ink)) === 'remove')) return false
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
    const quad = mapCorners(this.toUser, { left, bottom, right, top })
    return {
      kind,
      quad,
      bounds: boundsOf(quad),
      clip: state.clip,
      em: this.em,
      renderMode: state.renderMode,
    }
  }

  /** Fills in the box of bounds in ems around a glyph's origin, and returns it. */
  private setBox(box: GlyphBox, { left, bottom, right, top }: Bounds, [x, y]: readonly [number, number]): GlyphBox {
    const { fontSize, horizontalScale, rise } = this.scene.state
    const [one, other] = [x + left * fontSize * horizontalScale, x + right * fontSize * horizontalScale]
    const [low, high] = [y + rise + bottom * fontSize, y + rise + top * fontSize]
    box[0] = Math.min(one, other)
    box[1] = Math.min(low, high)
    box[2] = Math.max(one, other)
    box[3] = Math.max(low, high)
    return box
  }

  /** Visits the glyphs and gaps of a text-showing operation. Afterwards, the cursor is after the last glyph. */
  private walk(items: readonly TextItem[], font: Font, visit: Visitor): void {
    const { ink, stream, filter } = this.scene
    const { fontSize } = this.scene.state
    this.toUser = chainMatrices(this.cursor.matrix, this.scene.state.matrix)
    this.em = Math.abs(fontSize) * largestScaleOf(this.toUser)
    const box: GlyphBox = [0, 0, 0, 0]
    this.cursor.show(items, font, this.scene.state, {
      glyph: (bytes, at, glyph, offset, distance) => {
        const [x, y] = font.isVertical ? [0, offset] : [offset, 0]
        this.setBox(box, ink.ofProcedure(font, glyph, stream) ?? glyph, [x, y])
        const far = filter.holes ? ink.ofOutline(font, glyph).map(one => this.setBox([0, 0, 0, 0], one, [x, y])) : []
        visit.glyph(bytes, at, { glyph, distance, box, far })
      },
      gap: distance => visit.gap(distance),
    })
  }
}

function extend(whole: GlyphBox, [left, bottom, right, top]: GlyphBox): void {
  if (left < whole[0]) whole[0] = left
  if (bottom < whole[1]) whole[1] = bottom
  if (right > whole[2]) whole[2] = right
  if (top > whole[3]) whole[3] = top
}

function codesOf(items: readonly TextItem[]): string {
  return items.map(item => (typeof item === 'number' ? '' : Buffer.from(item).toString('latin1'))).join('')
}

/** Left, bottom, right, top in text space, relative to the start of the text-showing operation. */
type GlyphBox = [number, number, number, number]

/** A glyph of a text-showing operation. */
interface PlacedGlyph {
  glyph: Glyph
  distance: number
  box: GlyphBox
  /** The boxes of its outline that reach far out of `box`, if the filter has holes. */
  far: GlyphBox[]
}

interface Visitor {
  /** `glyph` and `box` are reused for the next glyph. */
  glyph(bytes: Uint8Array, at: number, placed: PlacedGlyph): void
  gap(distance: number): void
}

/** Smaller distances come from rounding, in units of `TJ` numbers. */
const LEAST_GAP = 1e-3

/** Writes a text-showing operation glyph by glyph. */
class RunWriter {
  /** Distance between the last written glyph and the next one, in text space. */
  pendingDistance = 0
  private readonly items: string[] = []
  private readonly bytes: number[] = []

  /** `unit` is the distance in text space of the number 1 in `TJ`. */
  constructor(private readonly unit: number) {}

  /** Writes the code of a glyph, after a `TJ` number if the distance before it isn't 0. */
  glyph(bytes: Uint8Array, at: number, length: number): void {
    if (Math.abs(this.pendingDistance) > Math.abs(this.unit) * LEAST_GAP) {
      this.flush()
      // `TJ` numbers move back by thousandths of an em. Four decimals are far less than a pixel.
      if (this.unit !== 0) this.items.push(writeNumber(Math.round((-this.pendingDistance / this.unit) * 1e4) / 1e4))
    }
    this.pendingDistance = 0
    for (let index = 0; index < length; index++) this.bytes.push(bytes[at + index] as number)
  }

  move(distance: number): void {
    this.pendingDistance += distance
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
