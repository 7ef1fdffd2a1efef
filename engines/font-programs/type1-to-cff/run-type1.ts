import { DamagedFontError, FontData } from '../font-data'
import { Operator, readNumber } from '../type1/type1-tokens'
import { OutlineBuilder } from './outline-builder'
import type { Outline } from './outline'

/** Operators that only affect the outline, with the number of their operands. */
const OPERANDS: Readonly<Record<number, number>> = {
  1: 2,
  3: 2,
  4: 1,
  5: 2,
  6: 1,
  7: 1,
  8: 6,
  9: 0,
  13: 2,
  14: 0,
  21: 2,
  22: 1,
  30: 4,
  31: 4,
  1200: 0,
  1201: 6,
  1202: 6,
  1206: 5,
  1207: 4,
  1233: 2,
}

/** Procedures of OtherSubrs (8.3 and 8.4), with the number of their operands. */
const FLEX_END = 0
const FLEX_START = 1
const FLEX_POINT = 2
const REPLACE_HINTS = 3
const PROCEDURES: Readonly<Record<number, number>> = {
  [FLEX_END]: 3,
  [FLEX_START]: 0,
  [FLEX_POINT]: 0,
  [REPLACE_HINTS]: 1,
}

/** Number of nested calls that every interpreter allows. */
const DEEPEST = 10
/** Size of the operand stack in interpreters. */
const MOST_OPERANDS = 24

/** State that the charstrings of a font share. */
export interface RunTerms {
  subrs: ReadonlyMap<number, Uint8Array>
  /** Decreases with each operator. At 0, the run throws `DamagedFontError`. */
  budget: { left: number }
}

/**
 * Runs a Type 1 charstring. Throws `DamagedFontError` for everything that interpreters treat differently. This includes
 * unusual procedures of OtherSubrs, too many or too few operands, subpaths that aren't closed, and charstrings without
 * an end.
 */
export function runType1(bytes: Uint8Array, terms: RunTerms): Outline {
  return new Run(terms).start(bytes)
}

class Run {
  private readonly stack: number[] = []
  /** Results of the last procedure, in reverse order. */
  private results: number[] = []
  private readonly outline = new OutlineBuilder()

  constructor(private readonly terms: RunTerms) {}

  start(bytes: Uint8Array): Outline {
    if (!this.run(bytes, 0)) throw new DamagedFontError('a charstring has no end')
    return this.outline.finish()
  }

  /** Returns whether the charstring is over. */
  private run(bytes: Uint8Array, depth: number): boolean {
    if (depth > DEEPEST) throw new DamagedFontError('subroutines call each other too deeply')
    const data = new FontData(bytes)
    for (let at = 0; at < data.length;) {
      const first = data.u8(at++)
      if (first >= 32) {
        const { value, end } = readNumber(data, first, at)
        this.push(value)
        at = end
        continue
      }
      const operator = first === Operator.escape ? Operator.escape * 100 + data.u8(at++) : first
      if (this.terms.budget.left-- <= 0) throw new DamagedFontError('the charstrings are too long')
      if (operator === Operator.return && depth > 0) return false
      if (operator === Operator.call) {
        if (this.run(this.findSubr(), depth + 1)) return true
      } else if (operator === Operator.divide) this.divide()
      else if (operator === Operator.callOther) this.callOther()
      else if (operator === Operator.pop) this.pop()
      else this.outline.apply(operator, this.takeAll(operator))
      if (operator === Operator.end || operator === Operator.seac) return true
    }
    return false
  }

  private push(value: number): void {
    if (this.stack.length >= MOST_OPERANDS) throw new DamagedFontError('a charstring has too many operands')
    this.stack.push(value)
  }

  private findSubr(): Uint8Array {
    const subr = this.terms.subrs.get(this.take())
    if (!subr) throw new DamagedFontError('a charstring calls a subroutine that is not known')
    return subr
  }

  private divide(): void {
    const [divisor, dividend] = [this.take(), this.take()]
    if (divisor === 0) throw new DamagedFontError('a charstring divides by zero')
    this.stack.push(dividend / divisor)
  }

  private callOther(): void {
    const [procedure, count] = [this.take(), this.take()]
    if (PROCEDURES[procedure] !== count || this.stack.length !== count)
      throw new DamagedFontError('a charstring calls an unusual procedure')
    const operands = this.stack.splice(0)
    this.results = []
    if (procedure === FLEX_START) this.outline.startFlex()
    else if (procedure === FLEX_POINT) this.outline.addFlexPoint()
    else if (procedure === FLEX_END) {
      const [height = 0, x = 0, y = 0] = operands
      this.outline.endFlex(height)
      this.results = [y, x]
    } else {
      this.outline.replaceHints()
      this.results = operands
    }
  }

  private pop(): void {
    const result = this.results.pop()
    if (result === undefined) throw new DamagedFontError('no procedure left a number')
    this.stack.push(result)
  }

  private take(): number {
    const value = this.stack.pop()
    if (value === undefined) throw new DamagedFontError('a charstring has too few operands')
    return value
  }

  private takeAll(operator: number): number[] {
    if (OPERANDS[operator] !== this.stack.length)
      throw new DamagedFontError('an operator is reserved or has another number of operands')
    return this.stack.splice(0)
  }
}
