import { DamagedFontError } from '../font-data'
import type { FontWriter } from '../font-data'
import { isSame, MOST_STEMS } from './outline-builder'
import type { HintSet, Stem, Step } from './outline'
import { roundOperand, writeOperand } from '../cff/type2-numbers'

const HSTEM = 1
const VSTEM = 3
const HSTEMHM = 18
const HINTMASK = 19

/** The stem hints of a glyph in the order that Type 2 requires, and masks that select the active ones. */
export class HintList {
  private readonly horizontal: Stem[]
  private readonly vertical: Stem[]
  private readonly hasMasks: boolean
  private readonly first: HintSet

  /** Throws `DamagedFontError` if a glyph has more hints than the operand stack can hold. */
  constructor(steps: readonly Step[]) {
    const sets = steps.flatMap(step => (step.kind === 'hints' ? [step.hints] : []))
    this.horizontal = sortStems(sets.map(({ horizontal }) => horizontal))
    this.vertical = sortStems(sets.map(({ vertical }) => vertical))
    const isAtStart = steps[0]?.kind === 'hints'
    this.first = (isAtStart ? sets[0] : undefined) ?? { horizontal: [], vertical: [] }
    this.hasMasks = sets.length > (isAtStart ? 1 : 0)
  }

  /** Writes the hints before the first move. The width must come before them. */
  writeStart(writer: FontWriter): void {
    const hasBoth = this.horizontal.length > 0
    writeStems(writer, this.horizontal)
    if (hasBoth) writer.u8(this.hasMasks ? HSTEMHM : HSTEM)
    writeStems(writer, this.vertical)
    // A mask operator takes the numbers before it as vertical stems.
    if (this.hasMasks) this.writeMask(writer, this.first)
    else if (this.vertical.length > 0) writer.u8(VSTEM)
  }

  writeMask(writer: FontWriter, { horizontal, vertical }: HintSet): void {
    if (!this.hasMasks) return
    const bits = [
      ...this.horizontal.map(stem => horizontal.some(other => isSame(stem, other))),
      ...this.vertical.map(stem => vertical.some(other => isSame(stem, other))),
    ]
    writer.u8(HINTMASK)
    for (let at = 0; at < bits.length; at += 8) {
      let byte = 0
      for (let bit = 0; bit < 8; bit++) byte = byte * 2 + (bits[at + bit] ? 1 : 0)
      writer.u8(byte)
    }
  }
}

/** Returns the distinct stems, sorted by their lower or left edges. */
function sortStems(sets: readonly (readonly Stem[])[]): Stem[] {
  const different: Stem[] = []
  for (const stems of sets) {
    for (const stem of stems) if (!different.some(other => isSame(stem, other))) different.push(stem)
    if (different.length > MOST_STEMS) throw new DamagedFontError('a glyph has too many hints')
  }
  return different.sort((one, other) => one.at - other.at || one.size - other.size)
}

/** Writes each edge as the distance from the edge before. */
function writeStems(writer: FontWriter, stems: readonly Stem[]): void {
  let edge = 0
  for (const { at, size } of stems) {
    const start = roundOperand(at)
    const end = roundOperand(at + size)
    writeOperand(writer, roundOperand(start - edge))
    writeOperand(writer, roundOperand(end - start))
    edge = end
  }
}
