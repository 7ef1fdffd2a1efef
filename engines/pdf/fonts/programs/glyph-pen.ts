import { boundsOf, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import type { Matrix } from '../../geometry/matrix'

/** Follows the lines and curves of an outline, and records the box around them. */
export class GlyphPen {
  private x = 0
  private y = 0
  private box: Bounds | undefined

  /** The box around all lines, and around the points that control the curves. Undefined if nothing is drawn. */
  get bounds(): Bounds | undefined {
    return this.box
  }

  move(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
  }

  line(dx: number, dy: number): void {
    this.mark()
    this.move(dx, dy)
    this.mark()
  }

  /** Records the current point. */
  mark(): void {
    const { x, y, box } = this
    if (!box) this.box = { left: x, bottom: y, right: x, top: y }
    else {
      box.left = Math.min(box.left, x)
      box.bottom = Math.min(box.bottom, y)
      box.right = Math.max(box.right, x)
      box.top = Math.max(box.top, y)
    }
  }

  /** Runs a move, line or curve operator of a Type 1 or Type 2 charstring (Adobe Technical Note 5177, 4.1). */
  draw(operator: number, operands: readonly number[]): void {
    const at = (index: number): number => operands.at(index) ?? 0
    switch (operator) {
      case 21:
        return this.move(at(-2), at(-1))
      case 22:
        return this.move(at(-1), 0)
      case 4:
        return this.move(0, at(-1))
      case 6:
      case 7:
        for (const [index, distance] of operands.entries())
          if ((index + operator) % 2 === 0) this.line(distance, 0)
          else this.line(0, distance)
        return
      case 5:
      case 8:
      case 24:
      case 25:
        // Curves count as the lines between their points.
        return this.lines(operands)
      case 26:
      case 27:
        return this.smooth(operands, operator === 27)
      default:
        return this.alternate(operands, operator === 31)
    }
  }

  /** Runs one of the four operators `flex`, by the byte after the escape byte. */
  flex(operator: number, operands: readonly number[]): void {
    const at = (index: number): number => operands[index] ?? 0
    switch (operator) {
      case 35:
        return this.lines(operands.slice(0, 12))
      case 34:
        return this.lines([at(0), 0, at(1), at(2), at(3), 0, at(4), 0, at(5), -at(2), at(6), 0])
      case 36: {
        const back = -(at(1) + at(3) + at(7))
        return this.lines([at(0), at(1), at(2), at(3), at(4), 0, at(5), 0, at(6), at(7), at(8), back])
      }
      default: {
        const [dx, dy] = [0, 1].map(from => at(from) + at(from + 2) + at(from + 4) + at(from + 6) + at(from + 8))
        const isWide = Math.abs(dx ?? 0) > Math.abs(dy ?? 0)
        const last = isWide ? [at(10), -(dy ?? 0)] : [-(dx ?? 0), at(10)]
        return this.lines([...operands.slice(0, 10), ...last])
      }
    }
  }

  private lines(operands: readonly number[]): void {
    for (let index = 0; index + 1 < operands.length; index += 2)
      this.line(operands[index] ?? 0, operands[index + 1] ?? 0)
  }

  /** Curves that begin and end in the same direction, after one operand for the other direction. */
  private smooth(operands: readonly number[], isWide: boolean): void {
    let at = operands.length % 4 === 0 ? 0 : 1
    let aside = at === 1 ? (operands[0] ?? 0) : 0
    for (; at + 3 < operands.length; at += 4) {
      const [first = 0, dx = 0, dy = 0, last = 0] = operands.slice(at, at + 4)
      if (isWide) this.lines([first, aside, dx, dy, last, 0])
      else this.lines([aside, first, dx, dy, 0, last])
      aside = 0
    }
  }

  /** Curves that begin in turn to the right and upward. */
  private alternate(operands: readonly number[], isWideFirst: boolean): void {
    let isWide = isWideFirst
    for (let at = 0; at + 3 < operands.length; at += 4) {
      const [first = 0, dx = 0, dy = 0, last = 0] = operands.slice(at, at + 4)
      const aside = operands.length - at === 5 ? (operands[at + 4] ?? 0) : 0
      if (isWide) this.lines([first, 0, dx, dy, aside, last])
      else this.lines([0, first, dx, dy, last, aside])
      isWide = !isWide
    }
  }
}

/** Returns the box around two boxes. */
export function joinBoxes(one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined {
  if (!one || !other) return one ?? other
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  }
}

/** Returns a box that is moved. */
export function moveBox({ left, bottom, right, top }: Bounds, dx: number, dy: number): Bounds {
  return { left: left + dx, bottom: bottom + dy, right: right + dx, top: top + dy }
}

/** Returns a box in the space that a matrix maps to. Undefined if a side isn't known. */
export function scaleBox(box: Bounds | undefined, matrix: Matrix): Bounds | undefined {
  const scaled = box && boundsOf(mapCorners(matrix, box))
  return scaled && Object.values(scaled).every(Number.isFinite) ? scaled : undefined
}

/** Returns the matrix of six numbers. Undefined for other numbers, and if it makes glyphs flat. */
export function toMatrix(numbers: readonly number[] | undefined): Matrix | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers ?? []
  if (numbers?.length !== 6 || !numbers.every(Number.isFinite) || a * d - b * c === 0) return undefined
  return [a, b, c, d, e, f]
}
