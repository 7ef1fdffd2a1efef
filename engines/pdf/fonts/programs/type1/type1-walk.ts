import type { Bounds } from '../../../geometry/geometry'
import { DamagedFontError, FontData, bytesAfter, readShortInteger } from '../font-data'
import { GlyphPen } from '../glyph-pen'

/**
 * Operators of Type 1 charstrings (Adobe Type 1 Font Format, 6.4). Operators after an escape byte are 1200 plus their
 * second byte.
 */
const Operator = {
  call: 10,
  return: 11,
  escape: 12,
  end: 14,
  seac: 1206,
  divide: 1212,
  callOther: 1216,
  pop: 1217,
} as const

const LONG = 255

/** Reads the number that begins with the byte `first`, from 32 on. `at` is the offset of the byte after it. */
function readNumber(data: FontData, first: number, at: number): { value: number; end: number } {
  if (first === LONG) return { value: data.u32(at) | 0, end: at + 4 }
  return { value: readShortInteger(data, first, at), end: at + bytesAfter(first) }
}

const LINES: ReadonlySet<number> = new Set([5, 6, 7, 8, 30, 31])
const MOVES: ReadonlySet<number> = new Set([4, 21, 22])
/** Operators that set the left side of the outline and its width. */
const [SIDE, SIDES] = [13, 1207]
const OTHERS: ReadonlySet<number> = new Set([1, 3, 4, 9, 13, 15, 21, 22, 1200, 1201, 1202, 1207, 1233])

/** Number of results of the `OtherSubrs` procedures that calculate. Multiple master fonts use them. */
const RESULTS: Readonly<Record<number, number>> = {
  12: 0,
  13: 0,
  14: 1,
  15: 2,
  16: 3,
  17: 4,
  18: 6,
  19: 0,
  20: 1,
  21: 1,
  22: 1,
  23: 1,
  24: 0,
  25: 1,
  27: 1,
  28: 1,
}
const FLEX_END = 0
const FLEX_START = 1

const DEEPEST = 16
const MOST_OPERANDS = 256

/** State that the walks through several charstrings share. */
export interface Type1Terms {
  subrs: ReadonlyMap<number, Uint8Array>
  /** End offsets of the called subroutines, by number. */
  used: Map<number, number>
  /** Decreases with each operator. At 0, the walk throws `DamagedFontError`. */
  budget: { left: number }
}

/** What a walk finds out about a charstring. */
interface WalkedType1 {
  end: number
  draws: boolean
  /** Codes of the components of an accented character, in the standard encoding. */
  components: number[]
  /** How far the second component is moved. */
  accent: readonly [x: number, y: number]
  /** The box around its lines and curves, in units of the font. Undefined if there are none. NaN where it isn't known. */
  box: Bounds | undefined
}

/**
 * Runs a Type 1 charstring to find the subroutines that it calls. This includes those of hint replacement, which
 * `OtherSubrs` names. Throws `DamagedFontError` for charstrings that all renderers reject, and if the number of a
 * subroutine isn't known.
 */
export function walkType1(bytes: Uint8Array, terms: Type1Terms): WalkedType1 {
  return new Walk(terms).start(bytes)
}

class Walk {
  private readonly stack: number[] = []
  private readonly results: number[] = []
  private draws = false
  private components: number[] = []
  private accent: readonly [number, number] = [0, 0]
  private readonly pen = new GlyphPen()
  /** The left side of the outline. */
  private side = 0
  private isInFlex = false

  constructor(private readonly terms: Type1Terms) {}

  start(bytes: Uint8Array): WalkedType1 {
    const { end } = this.run(bytes, 0)
    const { draws, components, accent, pen } = this
    return { end, draws, components, accent, box: pen.bounds }
  }

  private run(bytes: Uint8Array, depth: number): { end: number; isOver: boolean } {
    if (depth > DEEPEST) throw new DamagedFontError('subroutines call each other too deeply')
    const data = new FontData(bytes)
    let at = 0
    while (at < data.length) {
      const first = data.u8(at++)
      if (first >= 32) {
        const { value, end } = readNumber(data, first, at)
        this.push(value)
        at = end
        continue
      }
      const operator = first === Operator.escape ? Operator.escape * 100 + data.u8(at++) : first
      if (this.terms.budget.left-- <= 0) throw new DamagedFontError('the charstrings are too long')
      if (operator === Operator.return) return { end: at, isOver: false }
      if (operator === Operator.seac) this.compose()
      if (operator === Operator.end || operator === Operator.seac) return { end: at, isOver: true }
      if (operator === Operator.call) {
        if (this.call(depth)) return { end: at, isOver: true }
      } else this.apply(operator)
    }
    return { end: at, isOver: false }
  }

  private push(value: number): void {
    if (this.stack.length >= MOST_OPERANDS) throw new DamagedFontError('a charstring has too many operands')
    this.stack.push(value)
  }

  private call(depth: number): boolean {
    const number = this.stack.pop() ?? Number.NaN
    const subr = this.terms.subrs.get(number)
    if (!subr) throw new DamagedFontError('a charstring calls a subroutine that is not known')
    const { end, isOver } = this.run(subr, depth + 1)
    this.terms.used.set(number, Math.max(this.terms.used.get(number) ?? 0, end))
    return isOver
  }

  private apply(operator: number): void {
    if (operator === Operator.divide) {
      const [divisor = Number.NaN, dividend = Number.NaN] = [this.stack.pop(), this.stack.pop()]
      this.stack.push(dividend / divisor)
    } else if (operator === Operator.callOther) this.callOther()
    else if (operator === Operator.pop) this.stack.push(this.results.pop() ?? Number.NaN)
    else if (LINES.has(operator) || OTHERS.has(operator)) {
      this.draws ||= LINES.has(operator)
      this.move(operator)
      this.stack.length = 0
    } else throw new DamagedFontError('a charstring has a reserved operator')
  }

  private move(operator: number): void {
    const { pen, stack } = this
    if (operator === SIDE || operator === SIDES) {
      this.side = stack[0] ?? 0
      pen.move(this.side, operator === SIDES ? (stack[1] ?? 0) : 0)
    } else if (MOVES.has(operator) || LINES.has(operator)) pen.draw(operator, stack)
    // The points of a flex are moves.
    if (this.isInFlex && MOVES.has(operator)) pen.mark()
  }

  /**
   * Runs a procedure of `OtherSubrs` with numbers from the stack. `pop` pushes its results back, the first number
   * first.
   */
  private callOther(): void {
    const [procedure = Number.NaN, count = Number.NaN] = [this.stack.pop(), this.stack.pop()]
    const isKnown = count >= 0 && count <= this.stack.length
    if (!isKnown) throw new DamagedFontError('a procedure of OtherSubrs lacks operands')
    const operands = this.stack.splice(this.stack.length - count, count)
    const known = RESULTS[procedure]
    this.results.length = 0
    if (known !== undefined) this.results.push(...Array.from({ length: known }, () => Number.NaN))
    else this.results.push(...(procedure === FLEX_END ? operands.slice(1) : operands).reverse())
    if (procedure === FLEX_END) this.draws = true
    if (procedure === FLEX_START || procedure === FLEX_END) this.isInFlex = procedure === FLEX_START
  }

  private compose(): void {
    const [bearing = 0, x = 0, y = 0] = this.stack.slice(-5)
    this.accent = [x - bearing + this.side, y]
    this.components = this.stack.slice(-2)
    this.draws = true
  }
}
