import { OutlinePen } from './outlines'
import type { Outline } from './outlines'

/** A glyph as its charstring describes it. */
export interface DrawnGlyph {
  outline: Outline
  /** Undefined if a Type 2 charstring uses the program's default. */
  advance?: number
}

const MAX_CALLS = 10_000

/** Runs a Type 2 charstring (Adobe Technical Note 5177). The advance is relative to the nominal width. */
export function runType2(
  code: Buffer,
  subroutines: { local: readonly Buffer[]; global: readonly Buffer[] },
): DrawnGlyph {
  const run = new Type2Run(subroutines)
  run.execute(code)
  return { outline: run.pen.outline, ...(run.width !== undefined && { advance: run.width }) }
}

class Type2Run {
  readonly pen = new OutlinePen()
  width: number | undefined
  private stack: number[] = []
  private stems = 0
  private isStarted = false
  private calls = 0

  constructor(private readonly subroutines: { local: readonly Buffer[]; global: readonly Buffer[] }) {}

  /** Returns true at the end of the glyph. */
  execute(code: Buffer): boolean {
    if (++this.calls > MAX_CALLS) throw new Error('a charstring calls too many subroutines')
    for (let at = 0; at < code.length;) {
      const byte = code[at++] ?? 0
      if (byte === 28) {
        this.stack.push(code.readInt16BE(at))
        at += 2
      } else if (byte === 255) {
        this.stack.push(code.readInt32BE(at) / 65536)
        at += 4
      } else if (byte >= 247) {
        const low = code[at++] ?? 0
        this.stack.push(byte < 251 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108)
      } else if (byte >= 32) this.stack.push(byte - 139)
      else if (byte === 11) return false
      else if (byte === 10 || byte === 29) {
        const list = byte === 10 ? this.subroutines.local : this.subroutines.global
        const bias = list.length < 1240 ? 107 : list.length < 33900 ? 1131 : 32768
        const called = list[(this.stack.pop() ?? 0) + bias]
        if (called && this.execute(called)) return true
      } else if (byte === 19 || byte === 20) {
        this.countStems()
        at += Math.ceil(this.stems / 8)
      } else if (byte === 12) this.flex(code[at++] ?? 0)
      else if (byte === 14) {
        this.takeWidth(this.stack.length % 4 === 1 || this.stack.length === 1)
        return true
      } else this.draw(byte)
    }
    return false
  }

  private takeWidth(isGiven: boolean): void {
    if (!this.isStarted && isGiven) this.width = this.stack.shift()
    this.isStarted = true
  }

  private countStems(): void {
    this.takeWidth(this.stack.length % 2 === 1)
    this.stems += this.stack.length >> 1
    this.stack = []
  }

  private draw(operator: number): void {
    const { pen } = this
    if ([1, 3, 18, 23].includes(operator)) return this.countStems()
    if (operator === 21) this.takeWidth(this.stack.length > 2)
    if (operator === 4 || operator === 22) this.takeWidth(this.stack.length > 1)
    const stack = this.stack
    this.stack = []
    const [a = 0, b = 0] = stack
    if (operator === 21) pen.move(a, b)
    else if (operator === 22) pen.move(a, 0)
    else if (operator === 4) pen.move(0, a)
    else if (operator === 5) this.lines(stack)
    else if (operator === 6 || operator === 7) this.straight(stack, operator === 6)
    else if (operator === 8) this.curves(stack)
    else if (operator === 24) {
      this.curves(stack.slice(0, -2))
      this.lines(stack.slice(-2))
    } else if (operator === 25) {
      this.lines(stack.slice(0, -6))
      this.curves(stack.slice(-6))
    } else if (operator === 26 || operator === 27) this.alongAxis(stack, operator === 26)
    else if (operator === 30 || operator === 31) this.alternating(stack, operator === 31)
  }

  private lines(steps: readonly number[]): void {
    for (let at = 0; at + 1 < steps.length; at += 2) this.pen.line(steps[at] ?? 0, steps[at + 1] ?? 0)
  }

  /** hlineto and vlineto. */
  private straight(steps: readonly number[], startsAcross: boolean): void {
    for (const [index, step] of steps.entries()) {
      const isAcross = startsAcross === (index % 2 === 0)
      this.pen.line(isAcross ? step : 0, isAcross ? 0 : step)
    }
  }

  private curves(steps: readonly number[]): void {
    for (let at = 0; at + 5 < steps.length; at += 6) this.pen.curve(steps.slice(at, at + 6))
  }

  /** vvcurveto and hhcurveto. */
  private alongAxis(stack: readonly number[], isVertical: boolean): void {
    let across = stack.length % 4 === 1 ? (stack[0] ?? 0) : 0
    for (let at = stack.length % 4; at + 3 < stack.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = stack.slice(at, at + 4)
      this.pen.curve(isVertical ? [across, a, b, c, 0, d] : [a, across, b, c, d, 0])
      across = 0
    }
  }

  /** vhcurveto and hvcurveto. */
  private alternating(stack: readonly number[], startsAcross: boolean): void {
    let isAcross = startsAcross
    for (let at = 0; at + 3 < stack.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = stack.slice(at, at + 4)
      const last = stack.length - at === 5 ? (stack[at + 4] ?? 0) : 0
      this.pen.curve(isAcross ? [a, 0, b, c, last, d] : [0, a, b, c, d, last])
      isAcross = !isAcross
    }
  }

  private flex(operator: number): void {
    const s = this.stack
    this.stack = []
    const at = (index: number): number => s[index] ?? 0
    if (operator === 35) this.curves(s.slice(0, 12))
    else if (operator === 34) this.curves([at(0), 0, at(1), at(2), at(3), 0, at(4), 0, at(5), -at(2), at(6), 0])
    else if (operator === 36)
      this.curves([at(0), at(1), at(2), at(3), at(4), 0, at(5), 0, at(6), at(7), at(8), -(at(1) + at(3) + at(7))])
    else if (operator === 37) {
      const [dx, dy] = [0, 1].map(axis =>
        s
          .slice(0, 10)
          .filter((_, index) => index % 2 === axis)
          .reduce((sum, step) => sum + step, 0),
      )
      const isWide = Math.abs(dx ?? 0) > Math.abs(dy ?? 0)
      this.curves([...s.slice(0, 10), isWide ? at(10) : -(dx ?? 0), isWide ? -(dy ?? 0) : at(10)])
    }
  }
}

/** Runs a Type 1 charstring (Adobe Type 1 Font Format, chapter 6), decrypted. */
export function runType1(code: Buffer, subroutines: readonly Buffer[]): DrawnGlyph {
  const run = new Type1Run(subroutines)
  run.execute(code)
  return { outline: run.pen.outline, advance: run.advance }
}

class Type1Run {
  readonly pen = new OutlinePen()
  advance = 0
  private stack: number[] = []
  private handed: number[] = []
  /** Points of a flex while it is collected. */
  private flexed: [number, number][] | undefined
  private calls = 0

  constructor(private readonly subroutines: readonly Buffer[]) {}

  execute(code: Buffer): boolean {
    if (++this.calls > MAX_CALLS) throw new Error('a charstring calls too many subroutines')
    for (let at = 0; at < code.length;) {
      const byte = code[at++] ?? 0
      if (byte === 255) {
        this.stack.push(code.readInt32BE(at))
        at += 4
      } else if (byte >= 247) {
        const low = code[at++] ?? 0
        this.stack.push(byte < 251 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108)
      } else if (byte >= 32) this.stack.push(byte - 139)
      else if (byte === 11) return false
      else if (byte === 14) return true
      else if (byte === 10) {
        const called = this.subroutines[this.stack.pop() ?? -1]
        if (called && this.execute(called)) return true
      } else if (byte === 12) this.escaped(code[at++] ?? 0)
      else this.draw(byte)
    }
    return false
  }

  private draw(operator: number): void {
    const [a = 0, b = 0, c = 0, d = 0] = this.stack
    const all = this.stack
    this.stack = []
    if (operator === 13) {
      this.pen.x = a
      this.advance = b
    } else if (operator === 21) this.move(a, b)
    else if (operator === 22) this.move(a, 0)
    else if (operator === 4) this.move(0, a)
    else if (operator === 5) this.pen.line(a, b)
    else if (operator === 6) this.pen.line(a, 0)
    else if (operator === 7) this.pen.line(0, a)
    else if (operator === 8) this.pen.curve(all)
    else if (operator === 30) this.pen.curve([0, a, b, c, d, 0])
    else if (operator === 31) this.pen.curve([a, 0, b, c, 0, d])
  }

  private move(dx: number, dy: number): void {
    if (!this.flexed) return this.pen.move(dx, dy)
    this.flexed.push([dx, dy])
  }

  private escaped(operator: number): void {
    if (operator === 12) {
      const divisor = this.stack.pop() ?? 1
      this.stack.push((this.stack.pop() ?? 0) / divisor)
    } else if (operator === 16) this.callOther()
    else if (operator === 17) this.stack.push(this.handed.pop() ?? 0)
    else this.stack = []
  }

  private callOther(): void {
    const number = this.stack.pop() ?? 0
    const count = this.stack.pop() ?? 0
    const handed = this.stack.splice(Math.max(0, this.stack.length - count))
    this.handed = handed.reverse()
    if (number === 1) this.flexed = []
    if (number === 0 && this.flexed) {
      // The first step leads to the reference point, and the second step starts there.
      const [[rx, ry] = [0, 0], [ax, ay] = [0, 0], ...others] = this.flexed
      const steps = [[rx + ax, ry + ay], ...others].flat()
      this.pen.curve(steps.slice(0, 6))
      this.pen.curve(steps.slice(6, 12))
      this.flexed = undefined
    }
  }
}
