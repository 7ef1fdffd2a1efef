import type { Sheet } from './sheet'

/** A part of the invoice after the items, such as the totals. */
export interface TailPart {
  /** Height that must stay on one page. */
  heightPt: number
  /** Distance to the next part. */
  gapPt: number
  /** Whether the part continues on further pages. `heightPt` is then the height of its first lines. */
  isLong?: boolean
  /** Draws the part. Content of height `tailPt` that follows must stay with its last lines. */
  place(tailPt: number): void
}

/** Maximum height of parts that stay together, as a share of a page. The rest is for the last rows of the table. */
const MOST_TOGETHER = 0.75

/** Draws the parts one after the other. A part doesn't start a page alone if the content before it can move along. */
export function placeTail(sheet: Sheet, parts: readonly TailPart[]): void {
  for (const [index, part] of parts.entries()) {
    part.place(heightTogether(sheet, parts.slice(index + 1), part.heightPt + part.gapPt))
    sheet.y += part.gapPt
  }
}

/** Returns the height of the first parts that fit on one page, below content of height `abovePt`. */
export function heightTogether(sheet: Sheet, parts: readonly TailPart[], abovePt = 0): number {
  let height = 0
  for (const [index, { heightPt, isLong }] of parts.entries()) {
    const gap = parts[index - 1]?.gapPt ?? 0
    const isFirst = index === 0 && abovePt === 0
    if (!isFirst && abovePt + height + gap + heightPt > sheet.bodyHeight * MOST_TOGETHER) break
    height += gap + heightPt
    if (isLong) break
  }
  return height
}
