import type { Glyph } from './glyph'

/** Further glyphs of a kind in a cell aren't kept. */
const MOST_IN_CELL = 30

/** Finds glyphs of the same kind by their position. Takes the same time however many glyphs a page has. */
export class GlyphGrid {
  private readonly glyphs: Glyph[] = []
  /** For each chain: the number of its last glyph, from 1, and how many it has. Cells and kinds are hashed to chains. */
  private readonly last: Int32Array
  private readonly counts: Uint8Array
  /** The number of the glyph before each glyph in its chain. 0 if there is none. */
  private readonly before: Int32Array
  private readonly mask: number

  /**
   * `side` is the side of a cell, in user space units. At most `most` glyphs may be added. `kindOf` returns any number.
   * By default, all glyphs have the same kind.
   */
  constructor(
    private readonly side: number,
    most: number,
    private readonly kindOf: (glyph: Glyph) => number = () => 0,
  ) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.last = new Int32Array(size)
    this.counts = new Uint8Array(size)
    this.before = new Int32Array(most)
    this.mask = size - 1
  }

  add(glyph: Glyph, x: number, y: number): void {
    const chain = this.chainOf(Math.floor(x / this.side), Math.floor(y / this.side), this.kindOf(glyph))
    const count = this.counts[chain] as number
    if (count >= MOST_IN_CELL) return
    this.counts[chain] = count + 1
    this.before[this.glyphs.length] = this.last[chain] as number
    this.last[chain] = this.glyphs.push(glyph)
  }

  /**
   * Finds a glyph for which `test` returns true among those of the kind of `subject` that are at most `distance` from a
   * position, in user space units. `test` may also get glyphs of other kinds, glyphs that are farther away, and one glyph
   * several times.
   */
  find(
    x: number,
    y: number,
    distance: number,
    subject: Glyph,
    test: (near: Glyph, subject: Glyph) => boolean,
  ): Glyph | undefined {
    const { side, glyphs, last, before } = this
    const kind = this.kindOf(subject)
    const [right, top] = [Math.floor((x + distance) / side), Math.floor((y + distance) / side)]
    for (let column = Math.floor((x - distance) / side); column <= right; column++)
      for (let row = Math.floor((y - distance) / side); row <= top; row++)
        for (let next = last[this.chainOf(column, row, kind)] as number; next > 0; next = before[next - 1] as number) {
          const near = glyphs[next - 1] as Glyph
          if (test(near, subject)) return near
        }
    return undefined
  }

  /** The chain of glyphs of a kind in a cell. Others may have the same one. */
  private chainOf(column: number, row: number, kind: number): number {
    const hash = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b) ^ Math.imul(kind, 0xc2b2ae35)
    return (hash ^ (hash >>> 15)) & this.mask
  }
}
