import type { Glyph } from './glyph'

/** Further glyphs of a cell aren't kept. */
const MOST_IN_CELL = 30

/** Finds glyphs by their position. Takes the same time however many glyphs a page has. */
export class GlyphGrid {
  private readonly cells = new Map<number, Glyph[]>()

  /** `side` is the side of a cell, in user space units. */
  constructor(private readonly side: number) {}

  add(glyph: Glyph, x: number, y: number): void {
    const key = keyOf(Math.floor(x / this.side), Math.floor(y / this.side))
    const cell = this.cells.get(key)
    if (!cell) this.cells.set(key, [glyph])
    else if (cell.length < MOST_IN_CELL) cell.push(glyph)
  }

  /** The glyphs that are at most `cells` cells from a position, and perhaps some that are farther away. */
  *near(x: number, y: number, cells: number): Generator<Glyph> {
    const [column, row] = [Math.floor(x / this.side), Math.floor(y / this.side)]
    for (let across = column - cells; across <= column + cells; across++)
      for (let up = row - cells; up <= row + cells; up++) yield* this.cells.get(keyOf(across, up)) ?? []
  }
}

/** A number for a cell. Cells that are far apart may have the same number. */
function keyOf(column: number, row: number): number {
  return (column & 0xffff) * 0x10000 + (row & 0xffff)
}
