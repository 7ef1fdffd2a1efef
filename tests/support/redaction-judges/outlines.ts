/** A point of a contour. Points that are not on the curve are control points. */
export interface ContourPoint {
  x: number
  y: number
  isOn: boolean
}

/** A glyph's outline: closed contours in units of the font. */
export type Outline = ContourPoint[][]

/** An outline as text: its on-curve points in a fixed order. Empty for an invisible glyph. */
export function outlineKey(outline: Outline): string {
  const points = outline.flat().filter(({ isOn }) => isOn)
  return [...new Set(points.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`))].sort().join(' ')
}

/** Collects the contours that drawing operators describe. */
export class OutlinePen {
  readonly outline: Outline = []
  x = 0
  y = 0

  move(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
    this.outline.push([{ x: this.x, y: this.y, isOn: true }])
  }

  line(dx: number, dy: number): void {
    this.add(dx, dy, true)
  }

  curve([ax, ay, bx, by, cx, cy]: readonly number[]): void {
    this.add(ax ?? 0, ay ?? 0, false)
    this.add(bx ?? 0, by ?? 0, false)
    this.add(cx ?? 0, cy ?? 0, true)
  }

  private add(dx: number, dy: number, isOn: boolean): void {
    this.x += dx
    this.y += dy
    if (this.outline.length === 0) this.outline.push([])
    this.outline.at(-1)?.push({ x: this.x, y: this.y, isOn })
  }
}
