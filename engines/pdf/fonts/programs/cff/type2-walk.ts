import { calculate } from './type2-calculate'
import { DamagedFontError, FontData, bytesAfter, readShortInteger } from '../font-data'
import type { CffIndex } from './cff-index'
import { GlyphPen } from '../glyph-pen'
import type { Bounds } from '../../../geometry/geometry'

/**
 * Operators of Type 2 charstrings (Adobe Technical Note 5177, 4), and the first bytes of numbers in three and five
 * bytes.
 */
const CALL_LOCAL = 10
const RETURN = 11
const ESCAPE = 12
const END = 14
const HINT_MASK = 19
const COUNTER_MASK = 20
const SHORT = 28
const CALL_GLOBAL = 29
const FIXED = 255

const STEMS: ReadonlySet<number> = new Set([1, 3, 18, 23])
const MOVE_BOTH = 21
const MOVES: ReadonlySet<number> = new Set([4, MOVE_BOTH, 22])
const LINES: ReadonlySet<number> = new Set([5, 6, 7, 8, 24, 25, 26, 27, 30, 31])
const FLEXES: ReadonlySet<number> = new Set([34, 35, 36, 37])

/** Limits for nested calls and for operands. Renderers stop at 10 to 16 nested calls, and at 48 to 513 operands. */
const DEEPEST = 16
const MOST_OPERANDS = 513

/** The subroutines that a charstring may call, and the end offset of each called one by number. */
export interface SubrUse {
  index: CffIndex
  used: Map<number, number>
}

/** State that the walks through several charstrings share. */
export interface WalkTerms {
  local: SubrUse
  global: SubrUse
  /** Decreases with each operator. At 0, the walk throws `DamagedFontError`. */
  budget: { left: number }
}

/** What a walk finds out about a charstring. */
interface WalkedCharstring {
  /** Offset at which the charstring ends. Bytes after it never run. */
  end: number
  /** Whether it draws a line, a curve or an accented character. */
  draws: boolean
  /** Codes of the components of an accented character, in the standard encoding. */
  components: number[]
  /** How far the second component is moved. */
  accent: readonly [x: number, y: number]
  /** The box around its lines and curves, in units of the font. Undefined if there are none. NaN where it isn't known. */
  box: Bounds | undefined
  /** The width minus the nominal width of the Private DICT. Undefined for the default width. */
  width: number | undefined
}

/**
 * Runs a Type 2 charstring to find the subroutines that it calls. This takes only operands, arithmetic, hints and
 * calls. Type 2 has no branches, so a charstring always calls the same subroutines. Throws `DamagedFontError` for
 * charstrings that all renderers reject.
 */
export function walkCharstring(bytes: Uint8Array, terms: WalkTerms): WalkedCharstring {
  return new Walk(terms).start(bytes)
}

/**
 * Returns the bias for a count of subroutines, which is added to the operand of a call (Adobe Technical Note 5177,
 * 4.7).
 */
export function biasOf(count: number): number {
  return count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768
}

class Walk {
  private readonly stack: number[] = []
  private readonly store: number[] = []
  private stems = 0
  private hasCleared = false
  private draws = false
  private components: number[] = []
  private accent: readonly [number, number] = [0, 0]
  private width: number | undefined
  private readonly pen = new GlyphPen()

  constructor(private readonly terms: WalkTerms) {}

  start(bytes: Uint8Array): WalkedCharstring {
    const { end } = this.run(bytes, 0)
    const { components, accent, width, pen } = this
    return { end, draws: this.draws || components.length > 0, components, accent, box: pen.bounds, width }
  }

  private run(bytes: Uint8Array, depth: number): { end: number; isOver: boolean } {
    if (depth > DEEPEST) throw new DamagedFontError('subroutines call each other too deeply')
    const data = new FontData(bytes)
    let at = 0
    while (at < data.length) {
      const operator = data.u8(at++)
      if (operator >= 32 || operator === SHORT) {
        at += this.push(data, operator, at)
        continue
      }
      if (this.terms.budget.left-- <= 0) throw new DamagedFontError('the charstrings are too long')
      if (operator === RETURN) return { end: at, isOver: false }
      if (operator === END) {
        this.close()
        return { end: at, isOver: true }
      }
      if (operator === CALL_LOCAL || operator === CALL_GLOBAL) {
        const subrs = operator === CALL_LOCAL ? this.terms.local : this.terms.global
        if (this.call(subrs, depth)) return { end: at, isOver: true }
      } else if (operator === ESCAPE) this.escape(data.u8(at++))
      else at += this.draw(operator)
      if (at > data.length) throw new DamagedFontError('a charstring is cut off')
    }
    return { end: at, isOver: false }
  }

  /** Pushes the number that begins with the byte `first`. Returns how many bytes follow it. */
  private push(data: FontData, first: number, at: number): number {
    if (this.stack.length >= MOST_OPERANDS) throw new DamagedFontError('a charstring has too many operands')
    if (first === SHORT) this.stack.push(data.i16(at))
    else if (first === FIXED) this.stack.push((data.u32(at) | 0) / 65536)
    else this.stack.push(readShortInteger(data, first, at))
    if (first === SHORT) return 2
    return first === FIXED ? 4 : bytesAfter(first)
  }

  private call({ index, used }: SubrUse, depth: number): boolean {
    const number = (this.stack.pop() ?? Number.NaN) + biasOf(index.count)
    if (!Number.isInteger(number)) throw new DamagedFontError('the number of a subroutine is not known')
    const { end, isOver } = this.run(index.get(number), depth + 1)
    used.set(number, Math.max(used.get(number) ?? 0, end))
    return isOver
  }

  private escape(operator: number): void {
    if (FLEXES.has(operator)) {
      this.draws = true
      this.pen.flex(operator, this.stack)
      this.clear()
    } else if (operator === 0) this.clear()
    else calculate(operator, this.stack, this.store)
  }

  /** Runs a hint, mask, move or path operator. Returns how many bytes of a mask follow it. */
  private draw(operator: number): number {
    const isMask = operator === HINT_MASK || operator === COUNTER_MASK
    if (STEMS.has(operator) || isMask) {
      if (this.stack.length % 2 === 1) this.takeWidth()
      this.stems += this.stack.length >> 1
    } else if (MOVES.has(operator)) {
      if (this.stack.length > (operator === MOVE_BOTH ? 2 : 1)) this.takeWidth()
      this.pen.draw(operator, this.stack)
    } else if (LINES.has(operator)) {
      this.draws = true
      this.pen.draw(operator, this.stack)
    } else throw new DamagedFontError('a charstring has a reserved operator')
    this.clear()
    return isMask ? (this.stems + 7) >> 3 : 0
  }

  /**
   * Four operands of `endchar` compose an accented character (Adobe Technical Note 5177, appendix C). A fifth one is
   * the width.
   */
  private close(): void {
    const isComposed = this.stack.length === 4 || (this.stack.length === 5 && !this.hasCleared)
    if (isComposed) {
      const [x = 0, y = 0] = this.stack.slice(-4)
      this.accent = [x, y]
      this.components = this.stack.slice(-2)
    }
    if (this.stack.length === (isComposed ? 5 : 1)) this.takeWidth()
  }

  /** Takes the width, which the first stack-clearing operator may have below its operands (3.1). */
  private takeWidth(): void {
    if (!this.hasCleared) this.width = this.stack[0]
  }

  private clear(): void {
    this.hasCleared = true
    this.stack.length = 0
  }
}
