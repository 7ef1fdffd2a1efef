import { isMark, plainBullet } from './list-marks'
import { areaAround } from './lines/model'
import type { Block, Table, TableCell, TextLine, Word } from './lines/model'
import type { ContentItem, TaggedCell, TaggedPart } from './structure'
import { joinTouching, makeLine } from './lines/text-lines'

/** Maximum number of places in the grid of a table. */
const MAX_PLACES = 200_000

/** The parts of the tags on each page, by the position of the page. */
export function groupByPage(parts: readonly TaggedPart[]): Map<number, TaggedPart[]> {
  const pages = new Map<number, TaggedPart[]>()
  const add = (pageIndex: number, part: TaggedPart): void => {
    const list = pages.get(pageIndex)
    if (list) list.push(part)
    else pages.set(pageIndex, [part])
  }
  for (const part of parts) {
    if (part.rows) {
      for (const [pageIndex, rows] of rowsByPage(part.rows)) add(pageIndex, { ...part, rows })
      continue
    }
    for (const pageIndex of new Set(part.items.map(item => item.pageIndex)))
      add(pageIndex, { ...part, items: part.items.filter(item => item.pageIndex === pageIndex) })
  }
  return pages
}

/** The rows of a table on each page. Rows without content are on the page of the row before. */
function rowsByPage(rows: readonly TaggedCell[][]): Map<number, TaggedCell[][]> {
  const pages = new Map<number, TaggedCell[][]>()
  let pageIndex = rows.flat().find(cell => cell.items.length > 0)?.items[0]?.pageIndex ?? -1
  for (const row of rows) {
    pageIndex = row.find(cell => cell.items.length > 0)?.items[0]?.pageIndex ?? pageIndex
    const list = pages.get(pageIndex)
    if (list) list.push(row)
    else pages.set(pageIndex, [row])
  }
  return pages
}

/** Makes blocks of the words with these tags. Also returns the words that have no tag. */
export function makeTaggedBlocks(
  parts: readonly TaggedPart[],
  words: readonly Word[],
): { blocks: Block[]; untagged: Word[] } {
  const byMcid = new Map<number, Word[]>()
  for (const word of words) {
    if (word.mcid < 0) continue
    const list = byMcid.get(word.mcid)
    if (list) list.push(word)
    else byMcid.set(word.mcid, [word])
  }
  const used = new Set<number>()
  const take = (items: readonly ContentItem[]): Word[] =>
    items.flatMap(({ mcid }) => {
      if (used.has(mcid)) return []
      used.add(mcid)
      return byMcid.get(mcid) ?? []
    })
  const blocks = parts.flatMap(part => makeBlock(part, take))
  return { blocks, untagged: words.filter(word => word.mcid < 0 || !used.has(word.mcid)) }
}

function makeBlock(part: TaggedPart, take: (items: readonly ContentItem[]) => Word[]): Block[] {
  if (part.rows) {
    const table = makeTable(part.rows, take)
    const areas = table.cells.flatMap(cell => cell.lines)
    return areas.length > 0 ? [{ role: 'table', area: areaAround(areas), lines: [], table }] : []
  }
  const marks = take(part.items.filter(item => item.isMark))
  const words = take(part.items.filter(item => !item.isMark))
  const lines = toLines(words)
  const replaced = replacementOf(part.items)
  const area =
    words.length + marks.length > 0 ? areaAround([...words, ...marks]) : { left: 0, top: 0, right: 0, bottom: 0 }
  if (lines.length === 0 && !part.alternativeText && !replaced) return []
  const block: Block = { role: part.role, area, lines }
  if (part.level !== undefined) block.level = part.level
  if (part.alternativeText) block.alternativeText = part.alternativeText
  if (replaced !== undefined) block.actualText = replaced
  if (part.role === 'list-item') setMarker(block, marks)
  return [block]
}

function setMarker(block: Block, marks: readonly Word[]): void {
  const label = marks.map(({ text }) => text).join(' ')
  if (label) {
    block.marker = plainBullet(label)
    return
  }
  const [first, ...others] = block.lines
  const [word, ...rest] = first?.words ?? []
  block.marker = '•'
  if (word && rest.length > 0 && isMark(word.text)) {
    block.marker = plainBullet(word.text)
    block.lines = [makeLine(rest, { isOrdered: true }), ...others]
  }
}

/** The text of items if some have a replacement. Undefined if none has one. */
function replacementOf(items: readonly ContentItem[]): string | undefined {
  const texts = new Set(items.flatMap(({ replacement }) => (replacement ? [replacement] : [])))
  // A replacement of a part of a paragraph would need the text around it, which its words already are.
  const isWhole = items.length > 0 && items.every(({ replacement }) => replacement !== undefined)
  return isWhole ? [...texts].map(({ text }) => text).join(' ') : undefined
}

/** Divides words in logical order into lines. */
function toLines(words: readonly Word[]): TextLine[] {
  const lines: TextLine[] = []
  let run: Word[] = []
  const finish = (): void => {
    if (run.length === 0) return
    const isBackward = run.some((word, at) => at > 0 && word.right <= (run[at - 1] as Word).left + 1)
    lines.push(
      isBackward || run.some(word => word.isRightToLeft)
        ? makeLine(joinTouching(run.toSorted((one, other) => one.left - other.left)))
        : makeLine(run, { isOrdered: true }),
    )
    run = []
  }
  for (const word of words) {
    const before = run.at(-1)
    const isSame = before && Math.abs(before.baseline - word.baseline) < 0.6 * Math.max(before.size, word.size)
    if (before && !isSame) finish()
    run.push(word)
  }
  finish()
  return lines
}

function makeTable(rows: readonly TaggedCell[][], take: (items: readonly ContentItem[]) => Word[]): Table {
  const taken = new Set<string>()
  const cells: TableCell[] = []
  let columnCount = 0
  let places = 0
  for (const [row, tagged] of rows.entries()) {
    let column = 0
    for (const { isHeader, rowSpan: stated, columnSpan, items } of tagged) {
      while (taken.has(`${row} ${column}`)) column++
      const rowSpan = Math.min(stated, rows.length - row)
      places += rowSpan * columnSpan
      if (places > MAX_PLACES) return { rowCount: rows.length, columnCount, cells }
      for (let r = row; r < row + rowSpan; r++)
        for (let c = column; c < column + columnSpan; c++) taken.add(`${r} ${c}`)
      const lines = toLines(take(items))
      const actualText = replacementOf(items)
      cells.push({ row, column, rowSpan, columnSpan, isHeader, lines, ...(actualText !== undefined && { actualText }) })
      column += columnSpan
      columnCount = Math.max(columnCount, column)
    }
  }
  return { rowCount: rows.length, columnCount, cells }
}
