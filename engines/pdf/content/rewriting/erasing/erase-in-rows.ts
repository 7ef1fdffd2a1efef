import type { ClearedPart, PixelCut } from '../content-filter'

/** Operations on rows of an image. Positions are pixels, and `to` is exclusive. */
export interface RowKind<Row> {
  /** A row of overwritten pixels. */
  blank(): Row
  copy(row: Row): Row
  /** Overwrites pixels of a copy. Returns the same row or a new one. */
  clear(row: Row, from: number, to: number): Row
  /** Gives pixels of a copy the value of the pixel at `source`. */
  repeat(row: Row, source: number, from: number, to: number): Row
}

/** Cuts the rows of an image, from the top. Writes as many rows as the image has, and doesn't change the input rows. */
export class RowEraser<Row> {
  private readonly left: number
  private readonly right: number
  private readonly top: number
  private readonly bottom: number
  /** Number of rows above the remaining part that repeat its first row. */
  private readonly repeated: number
  private readonly parts: ClearedPart[]
  private active: ClearedPart[] = []
  private y = 0
  private lastRow: Row | undefined

  constructor(
    private readonly size: { width: number; height: number },
    private readonly cut: PixelCut,
    private readonly kind: RowKind<Row>,
    private readonly write: (row: Row) => void,
  ) {
    const { width, height } = size
    this.left = Math.max(0, cut.left)
    this.right = Math.min(width, cut.left + cut.width)
    const isEmpty = this.left >= this.right
    this.bottom = isEmpty ? height : Math.min(height, cut.top + cut.height)
    this.top = isEmpty ? height : Math.min(this.bottom, Math.max(0, cut.top))
    this.repeated = this.top < this.bottom ? Math.min(this.top, cut.bleedPixels) : 0
    // The list is read from its end.
    const parts = cut.cleared.filter(({ left, right, top, bottom }) => left < right && top < bottom)
    this.parts = parts.sort((one, other) => other.top - one.top)
  }

  /** Whether all rows have been written. */
  get isFull(): boolean {
    return this.y >= this.size.height
  }

  push(row: Row): void {
    const { y, top, bottom, repeated, kind, cut, write } = this
    if (this.isFull) return
    this.y += 1
    if (y < top - repeated) write(kind.blank())
    else if (y >= bottom) write(this.lastRow && y < bottom + cut.bleedPixels ? this.lastRow : kind.blank())
    else if (y >= top) {
      const edited = this.edit(row, y)
      if (y === top) for (let above = 0; above < repeated; above++) write(edited)
      write(edited)
      if (y === bottom - 1 && cut.bleedPixels > 0) this.lastRow = edited
    }
  }

  private edit(row: Row, y: number): Row {
    const { kind, left, right, cut, size } = this
    const spans = this.spansOf(y)
    if (spans.length === 0 && left === 0 && right === size.width) return row
    let edited = kind.copy(row)
    if (left > 0) edited = kind.clear(edited, 0, left)
    if (right < size.width) edited = kind.clear(edited, right, size.width)
    for (const [from, to] of spans) edited = kind.clear(edited, from, to)
    const [first, last] = [Math.max(0, left - cut.bleedPixels), Math.min(size.width, right + cut.bleedPixels)]
    if (first < left) edited = kind.repeat(edited, left, first, left)
    if (last > right) edited = kind.repeat(edited, right - 1, right, last)
    return edited
  }

  /** The spans of a row that are overwritten inside the remaining part. */
  private spansOf(y: number): [number, number][] {
    const { parts, left, right } = this
    for (let next = parts.at(-1); next && next.top <= y; next = parts.at(-1)) {
      this.active.push(next)
      parts.pop()
    }
    if (this.active.length === 0) return []
    this.active = this.active.filter(({ bottom }) => bottom > y)
    const spans: [number, number][] = []
    for (const part of this.active) {
      const end = Math.min(right, part.right)
      for (let x = Math.max(left, part.left); x < end; x++) {
        if (!part.isCleared(x, y)) continue
        const first = x
        while (x < end && part.isCleared(x, y)) x++
        spans.push([first, x])
      }
    }
    return spans
  }
}
