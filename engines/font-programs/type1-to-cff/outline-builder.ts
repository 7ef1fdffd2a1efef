import { DamagedFontError } from '../font-data'
import type { Composed, HintSet, Outline, Stem, Step } from './outline'

/** Number of coordinates in a flex: a reference point, and two curves of three points each. */
const FLEX_NUMBERS = 14

/** Maximum number of steps in one glyph. The glyphs of real fonts have hundreds. */
const MOST_STEPS = 20_000

/** Maximum number of hints in one direction. The Type 2 stack holds 48 numbers, of which one may be the width. */
export const MOST_STEMS = 23

/** Distance up to which points count as equal, because of rounding errors, in units of glyph space. */
const TOLERANCE = 1e-6

/** Sizes that mark hints for a single edge: the top edge (-20) or the bottom edge (-21). */
const SINGLE_EDGES: ReadonlySet<number> = new Set([-20, -21])

/** Collects an outline from the operators of a Type 1 charstring (Adobe Type 1 Font Format, 6.4). */
export class OutlineBuilder {
  private width: number | undefined
  private side = { x: 0, y: 0 }
  private x = 0
  private y = 0
  private readonly steps: Step[] = []
  private composed: Composed | undefined
  /** Start of the subpath that the last move began. */
  private start: readonly [number, number] | undefined
  /** Number of lines and curves in the open subpath. */
  private drawn = 0
  private flex: number[] | undefined
  private hints: { horizontal: Stem[]; vertical: Stem[] } = { horizontal: [], vertical: [] }
  /** The hints in the last step of kind `hints`. */
  private noted: HintSet = { horizontal: [], vertical: [] }
  private areHintsNew = false

  finish(): Outline {
    if (this.width === undefined || this.drawn > 0 || this.flex)
      throw new DamagedFontError('a charstring ends before its outline')
    while (this.steps.length > 0 && (this.isLast('move') || this.isLast('hints'))) this.steps.pop()
    return { width: this.width, steps: this.steps, composed: this.composed }
  }

  /** Applies an operator. The number of operands must be correct. */
  apply(operator: number, operands: readonly number[]): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands
    if (this.width === undefined && operator !== 13 && operator !== 1207)
      throw new DamagedFontError('a charstring begins without a width')
    switch (operator) {
      case 1:
        return this.addStems('horizontal', operands)
      case 3:
        return this.addStems('vertical', operands)
      case 1201:
        return this.addStems('vertical', operands)
      case 1202:
        return this.addStems('horizontal', operands)
      case 4:
        return this.move(0, a)
      case 21:
        return this.move(a, b)
      case 22:
        return this.move(a, 0)
      case 5:
        return this.draw('line', a, b)
      case 6:
        return this.draw('line', a, 0)
      case 7:
        return this.draw('line', 0, a)
      case 8:
        return this.draw('curve', a, b, c, d, e, f)
      case 30:
        return this.draw('curve', 0, a, b, c, d, 0)
      case 31:
        return this.draw('curve', a, 0, b, c, 0, d)
      case 9:
        return this.close()
      case 13:
        return this.setWidth(a, 0, b, 0)
      case 1207:
        return this.setWidth(a, b, c, d)
      case 1206:
        return this.compose(a, b, c, d, e)
      case 1233:
        return this.assertCurrent(a, b)
      default: // `endchar` and the obsolete `dotsection` have no effect here.
    }
  }

  startFlex(): void {
    if (this.flex || !this.start) throw new DamagedFontError('a flex begins outside of a subpath')
    this.flex = []
  }

  addFlexPoint(): void {
    if (!this.flex || this.flex.length >= FLEX_NUMBERS) throw new DamagedFontError('a flex has too many points')
    this.flex.push(this.x, this.y)
  }

  /** Ends a flex. The height is in hundredths of a device pixel. */
  endFlex(height: number): void {
    const points = this.flex
    if (points?.length !== FLEX_NUMBERS) throw new DamagedFontError('a flex has too few points')
    this.flex = undefined
    this.drawn++
    this.add({ kind: 'flex', points: points.slice(2), height })
  }

  /** Drops the current hints. The stems that follow replace them. */
  replaceHints(): void {
    this.hints = { horizontal: [], vertical: [] }
    this.areHintsNew = true
  }

  private setWidth(sideX: number, sideY: number, width: number, height: number): void {
    if (this.width !== undefined || height !== 0) throw new DamagedFontError('a charstring has an unusual width')
    this.width = width
    this.side = { x: sideX, y: sideY }
    this.x = sideX
    this.y = sideY
  }

  /** Adds stems. Type 1 measures them from the left side bearing point, Type 2 from the origin. */
  private addStems(direction: 'horizontal' | 'vertical', operands: readonly number[]): void {
    const stems = this.hints[direction]
    const origin = direction === 'horizontal' ? this.side.y : this.side.x
    for (let index = 0; index + 1 < operands.length; index += 2) {
      const at = origin + (operands[index] as number)
      const size = operands[index + 1] as number
      const stem = size >= 0 || SINGLE_EDGES.has(size) ? { at, size } : { at: at + size, size: -size }
      if (!stems.some(other => isSame(other, stem))) stems.push(stem)
    }
    if (stems.length > MOST_STEMS) throw new DamagedFontError('a charstring has too many hints')
    this.areHintsNew = true
  }

  private move(x: number, y: number): void {
    this.x += x
    this.y += y
    if (this.flex) return
    if (this.drawn > 0) throw new DamagedFontError('a subpath is not closed')
    // Only the last of several moves counts, with the hints that apply there.
    if (this.start)
      this.steps.splice(
        this.steps.findLastIndex(step => step.kind === 'move'),
        1,
      )
    this.start = [this.x, this.y]
    this.add({ kind: 'move', points: this.start })
  }

  private draw(kind: 'line' | 'curve', ...distances: number[]): void {
    if (!this.start || this.flex) throw new DamagedFontError('a line has no subpath')
    const points: number[] = []
    for (let index = 0; index < distances.length; index += 2) {
      this.x += distances[index] as number
      this.y += distances[index + 1] as number
      points.push(this.x, this.y)
    }
    this.drawn++
    this.add({ kind, points })
  }

  /** Closes the subpath. Drops a line back to its start, because Type 2 closes subpaths with one. */
  private close(): void {
    if (this.flex) throw new DamagedFontError('a flex has no end')
    if (this.drawn === 0) return
    const last = this.steps.at(-1)
    const isBack = last?.kind === 'line' && last.points[0] === this.start?.[0] && last.points[1] === this.start?.[1]
    if (isBack && this.drawn > 1) this.steps.pop()
    this.start = undefined
    this.drawn = 0
  }

  private compose(side: number, x: number, y: number, base: number, accent: number): void {
    if (this.steps.length > 0 || this.flex) throw new DamagedFontError('a composed character has an outline of its own')
    this.composed = { x: this.side.x + x - side, y, base, accent }
  }

  private assertCurrent(x: number, y: number): void {
    if (Math.abs(x - this.x) < TOLERANCE && Math.abs(y - this.y) < TOLERANCE) return
    throw new DamagedFontError('the current point is set to another place')
  }

  private add(step: Step): void {
    if (this.areHintsNew && !isSameSet(this.noted, this.hints)) {
      this.noted = { horizontal: [...this.hints.horizontal], vertical: [...this.hints.vertical] }
      this.steps.push({ kind: 'hints', hints: this.noted })
    }
    this.areHintsNew = false
    this.steps.push(step)
    if (this.steps.length > MOST_STEPS) throw new DamagedFontError('a charstring is too long')
  }

  private isLast(kind: Step['kind']): boolean {
    return this.steps.at(-1)?.kind === kind
  }
}

/** Returns whether two stem hints are equal. */
export function isSame(one: Stem, other: Stem): boolean {
  return one.at === other.at && one.size === other.size
}

function isSameSet(one: HintSet, other: HintSet): boolean {
  return isSameList(one.horizontal, other.horizontal) && isSameList(one.vertical, other.vertical)
}

function isSameList(one: readonly Stem[], other: readonly Stem[]): boolean {
  return one.length === other.length && one.every(stem => other.some(second => isSame(stem, second)))
}
