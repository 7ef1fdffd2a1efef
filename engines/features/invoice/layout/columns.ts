import type { Line } from './line-setter'
import type { Sheet } from './sheet'
import type { Tag } from './tag-tree'

/** A column of lines. Distances are in points from the edge where lines begin. */
export interface Column {
  x: number
  width: number
  lines: Line[]
}

/** Minimum height of a row that may be split, as a share of the page. A lower row moves to the next page as a whole. */
export const SPLIT_FROM = 0.3

/** Minimum number of lines of a split row on a page. */
const TOGETHER = 2

/** Distance above the remaining lines of a split row, in points. */
const CONTINUED_GAP = 6

/** Smaller distances come from rounding, in points. */
const TOO_SMALL_TO_SEE = 0.01

/** Returns the total height of lines in points. */
export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.heightPt, 0)
}

/** Aligns the baselines of the first texts of columns. */
export function alignFirstLines(columns: readonly Column[]): Column[] {
  const firsts = columns.map(({ lines }) => {
    const index = lines.findIndex(line => line.parts.length > 0)
    return index < 0 ? undefined : heightOf(lines.slice(0, index)) + (lines[index]?.baselinePt ?? 0)
  })
  const lowest = Math.max(0, ...firsts.map(first => first ?? 0))
  return columns.map((column, index) => {
    const missing = lowest - (firsts[index] ?? lowest)
    return missing < TOO_SMALL_TO_SEE
      ? column
      : { ...column, lines: [{ parts: [], heightPt: missing, baselinePt: 0 }, ...column.lines] }
  })
}

/** Returns the height of columns side by side. */
export function heightOfColumns(columns: readonly Column[]): number {
  return Math.max(0, ...columns.map(column => heightOf(column.lines)))
}

/**
 * Draws columns side by side, on as many pages as necessary, and moves the sheet below them. If the columns precede
 * further content of height `tailPt`, at least their last lines stay on one page with that content, if a page has
 * enough room.
 */
export function placeColumns(sheet: Sheet, columns: readonly Column[], { tailPt = 0 } = {}): void {
  let remaining = columns
  for (;;) {
    const height = heightOfColumns(remaining)
    if (height + tailPt <= sheet.remaining) return drawColumns(sheet, remaining)
    const fits = height <= sheet.remaining
    const isSmall = height <= sheet.bodyHeight * SPLIT_FROM && height + tailPt <= sheet.bodyHeight
    if (fits && (tailPt > sheet.bodyHeight || (sheet.isFresh && isSmall))) return drawColumns(sheet, remaining)
    if (isSmall && !sheet.isFresh) {
      sheet.newPage()
      continue
    }
    const budget = fits ? height - heightOfLast(remaining) : sheet.remaining
    const counts = remaining.map(column => countFitting(column.lines, budget))
    const isStarted = Math.max(...counts) >= TOGETHER
    if (!isStarted && !sheet.isFresh) {
      sheet.newPage()
      continue
    }
    if (!isStarted && fits) return drawColumns(sheet, remaining)
    const takenCounts = isStarted
      ? counts
      : counts.map((count, index) => Math.max(count, remaining[index]?.lines.length ? 1 : 0))
    drawColumns(
      sheet,
      remaining.map((column, index) => ({ ...column, lines: column.lines.slice(0, takenCounts[index]) })),
    )
    remaining = remaining.map((column, index) => ({ ...column, lines: column.lines.slice(takenCounts[index]) }))
    if (remaining.every(column => column.lines.length === 0)) return
    sheet.newPage(CONTINUED_GAP)
  }
}

/** Returns the height of the last lines of the tallest column. */
function heightOfLast(columns: readonly Column[]): number {
  const highest = columns.reduce((tallest, column) =>
    heightOf(column.lines) > heightOf(tallest.lines) ? column : tallest,
  )
  return heightOf(highest.lines.slice(-TOGETHER - 1))
}

function countFitting(lines: readonly Line[], budget: number): number {
  let height = 0
  for (const [index, line] of lines.entries()) {
    height += line.heightPt
    if (height > budget + TOO_SMALL_TO_SEE / 10) return index
  }
  return lines.length
}

/** Draws columns side by side on this page, even without enough room, and moves the sheet below them. */
export function drawColumns(sheet: Sheet, columns: readonly Column[]): void {
  const top = sheet.y
  for (const column of columns) drawColumn(sheet, column, top)
  sheet.y = top + heightOfColumns(columns)
}

/** Draws a column. The content of a structure element is one marked-content sequence. */
function drawColumn(sheet: Sheet, { x, width, lines }: Column, top: number): void {
  let y = top
  let current: { tag: Tag | undefined; operators: string[] } | undefined
  const close = (): void => {
    if (current) sheet.mark(current.tag, current.operators.join('\n'))
    current = undefined
  }
  for (const line of lines) {
    const { parts, heightPt, baselinePt, fill, insetPt = 0 } = line
    if (fill) {
      close()
      sheet.paint({ x, y, width, height: heightPt + (line.insetPt ? OVERLAP : 0) }, fill)
    }
    for (const part of parts) {
      if (current?.tag !== part.tag) close()
      current ??= { tag: part.tag, operators: [] }
      const { shiftPt = 0, uri, tag, shaped, look } = part
      const area = { x: x + insetPt + shiftPt, width: width - 2 * insetPt - shiftPt }
      current.operators.push(sheet.textOperators(part, { ...area, y: y + baselinePt }))
      if (uri === undefined || !tag) continue
      close()
      sheet.link(uri, { x: area.x, y, width: (shaped.width * look.sizePt) / 1000, height: heightPt }, tag)
    }
    y += heightPt
  }
  close()
}

/** Additional height of line backgrounds, which hides the seam that some viewers draw between adjacent fills. */
const OVERLAP = 0.2
