import type { Line } from './line-setter'
import type { Sheet } from './sheet'
import type { Tag } from './tag-tree'

/** Lines below each other; places in points from the edge where lines begin. */
export interface Column {
  x: number
  width: number
  lines: Line[]
}

/** A row of more than this share of a page may be split; a lower one goes to the next page as a whole. */
const SPLIT_FROM = 0.3

/** Lines of a split row that stay together. */
const TOGETHER = 2

/** Above the rest of a split row, in points. */
const CONTINUED_GAP = 6

/** How high lines below each other are, in points. */
export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.heightPt, 0)
}

/** The same columns with the baselines of their first texts at one height. */
export function alignFirstLines(columns: readonly Column[]): Column[] {
  const firsts = columns.map(({ lines }) => {
    const index = lines.findIndex(line => line.parts.length > 0)
    return index < 0 ? undefined : heightOf(lines.slice(0, index)) + (lines[index]?.baselinePt ?? 0)
  })
  const lowest = Math.max(0, ...firsts.map(first => first ?? 0))
  return columns.map((column, index) => {
    const missing = lowest - (firsts[index] ?? lowest)
    return missing < 0.01
      ? column
      : { ...column, lines: [{ parts: [], heightPt: missing, baselinePt: 0 }, ...column.lines] }
  })
}

/** How high columns beside each other are. */
export function heightOfColumns(columns: readonly Column[]): number {
  return Math.max(0, ...columns.map(column => heightOf(column.lines)))
}

/**
 * Draws columns beside each other and moves the sheet below them, over as many pages as they need. What stands in front
 * of `tailPt` of other things stays on one page with them, by its last lines at least, where a page has room for that.
 */
export function placeColumns(sheet: Sheet, columns: readonly Column[], { tailPt = 0 } = {}): void {
  let rest = columns
  for (;;) {
    const height = heightOfColumns(rest)
    if (height + tailPt <= sheet.remaining) return drawColumns(sheet, rest)
    const fits = height <= sheet.remaining
    const isSmall = height <= sheet.bodyHeight * SPLIT_FROM && height + tailPt <= sheet.bodyHeight
    if (fits && (tailPt > sheet.bodyHeight || (sheet.isFresh && isSmall))) return drawColumns(sheet, rest)
    if (isSmall && !sheet.isFresh) {
      sheet.newPage()
      continue
    }
    const budget = fits ? height - heightOfLast(rest) : sheet.remaining
    const counts = rest.map(column => countFitting(column.lines, budget))
    const isStarted = Math.max(...counts) >= TOGETHER
    if (!isStarted && !sheet.isFresh) {
      sheet.newPage()
      continue
    }
    if (!isStarted && fits) return drawColumns(sheet, rest)
    const taken = isStarted ? counts : counts.map((count, index) => Math.max(count, rest[index]?.lines.length ? 1 : 0))
    drawColumns(
      sheet,
      rest.map((column, index) => ({ ...column, lines: column.lines.slice(0, taken[index]) })),
    )
    rest = rest.map((column, index) => ({ ...column, lines: column.lines.slice(taken[index]) }))
    if (rest.every(column => column.lines.length === 0)) return
    sheet.newPage(CONTINUED_GAP)
  }
}

/** Of the last lines of the highest column. */
function heightOfLast(columns: readonly Column[]): number {
  const highest = columns.reduce((most, column) => (heightOf(column.lines) > heightOf(most.lines) ? column : most))
  return heightOf(highest.lines.slice(-TOGETHER - 1))
}

function countFitting(lines: readonly Line[], budget: number): number {
  let height = 0
  for (const [index, line] of lines.entries()) {
    height += line.heightPt
    if (height > budget + 0.001) return index
  }
  return lines.length
}

/** Draws columns beside each other on this page, whether or not there is room, and moves the sheet below them. */
export function drawColumns(sheet: Sheet, columns: readonly Column[]): void {
  const top = sheet.y
  for (const column of columns) drawColumn(sheet, column, top)
  sheet.y = top + heightOfColumns(columns)
}

/** What is drawn for one element stands in one piece of marked content. */
function drawColumn(sheet: Sheet, { x, width, lines }: Column, top: number): void {
  let y = top
  let open: { tag: Tag | undefined; operators: string[] } | undefined
  const close = (): void => {
    if (open) sheet.mark(open.tag, open.operators.join('\n'))
    open = undefined
  }
  for (const line of lines) {
    const { parts, heightPt, baselinePt, fill, insetPt = 0 } = line
    if (fill) {
      close()
      sheet.paint({ x, y, width, height: heightPt + (line.insetPt ? OVERLAP : 0) }, fill)
    }
    for (const part of parts) {
      if (open?.tag !== part.tag) close()
      open ??= { tag: part.tag, operators: [] }
      const { shiftPt = 0, uri, tag, shaped, look } = part
      const area = { x: x + insetPt + shiftPt, width: width - 2 * insetPt - shiftPt }
      open.operators.push(sheet.textOperators(part, { ...area, y: y + baselinePt }))
      if (uri === undefined || !tag) continue
      close()
      sheet.link(uri, { x: area.x, y, width: (shaped.width * look.sizePt) / 1000, height: heightPt }, tag)
    }
    y += heightPt
  }
  close()
}

/** Fills of lines below each other touch; a little more hides the seam that some readers draw. */
const OVERLAP = 0.2
