import type { Box } from '../../pdf/geometry'
import { isCode, isCodeBlock } from './lines/code-lines'
import type { SheetImage } from './figures'
import { isMark, plainBullet } from './list-marks'
import { areaAround } from './lines/model'
import type { Area, Block, Table, TableCell, TextLine, Word } from './lines/model'
import { orderCells } from './order-cells'
import type { ContentItem, TaggedCell, TaggedPart } from './structure'
import { joinTouching, makeLine } from './lines/text-lines'
import { addTo } from '../../map-entries'

/** Maximum number of places in the grid of a table. */
const MAX_PLACES = 200_000

/** The parts of the tags on each page, by the position of the page. */
export function groupByPage(parts: readonly TaggedPart[]): Map<number, TaggedPart[]> {
  const pages = new Map<number, TaggedPart[]>()
  for (const part of parts) {
    if (part.rows) {
      for (const [pageIndex, rows] of rowsByPage(part.rows)) addTo(pages, pageIndex, { ...part, rows })
      continue
    }
    for (const pageIndex of new Set(part.items.map(item => item.pageIndex)))
      addTo(pages, pageIndex, { ...part, items: part.items.filter(item => item.pageIndex === pageIndex) })
  }
  return pages
}

/** The rows of a table on each page. Rows without content are on the page of the row before. */
function rowsByPage(rows: readonly TaggedCell[][]): Map<number, TaggedCell[][]> {
  const pages = new Map<number, TaggedCell[][]>()
  let pageIndex = rows.flat().find(cell => cell.items.length > 0)?.items[0]?.pageIndex ?? -1
  for (const row of rows) {
    pageIndex = row.find(cell => cell.items.length > 0)?.items[0]?.pageIndex ?? pageIndex
    addTo(pages, pageIndex, row)
  }
  return pages
}

/** What the blocks of tags depend on. */
interface TagSetting {
  images: readonly SheetImage[]
  /** Whether most of the text of the document has a font of equal widths. */
  isTypewritten: boolean
  /** The area of a box in default user space. */
  areaOf: (box: Box) => Area
  /** Makes blocks of words by their layout. */
  layOut: (words: readonly Word[]) => Block[]
}

/** Makes blocks of the words with these tags. Also returns the words that have no tag. */
export function makeTaggedBlocks(
  parts: readonly TaggedPart[],
  words: readonly Word[],
  setting: TagSetting,
): { blocks: Block[]; untagged: Word[] } {
  const byMcid = new Map<number, Word[]>()
  for (const word of words) if (word.mcid >= 0) addTo(byMcid, word.mcid, word)
  const used = new Set<number>()
  const take = (items: readonly ContentItem[]): Word[] =>
    items.flatMap(({ mcid }) => {
      if (used.has(mcid)) return []
      used.add(mcid)
      return byMcid.get(mcid) ?? []
    })
  const imagesByMcid = new Map<number, SheetImage[]>()
  for (const image of setting.images) if (image.mcid >= 0) addTo(imagesByMcid, image.mcid, image)
  const blocks: Block[] = []
  let isAfterGroup = false
  for (const part of parts) {
    const images = part.items.flatMap(({ mcid }) => imagesByMcid.get(mcid) ?? [])
    const made =
      part.isLoose && !hasReplacement(part)
        ? makeLoose(part, take, setting)
        : makeBlock(part, take, { ...setting, images })
    const isGroup = part.isLoose !== undefined
    blocks.push(...(isGroup && isAfterGroup ? joinSameLine(blocks, made) : made))
    isAfterGroup = isGroup
  }
  return { blocks, untagged: words.filter(word => word.mcid < 0 || !used.has(word.mcid)) }
}

type Take = (items: readonly ContentItem[]) => Word[]

/** The blocks of a part that no tag divides into paragraphs. */
function makeLoose({ items, role }: TaggedPart, take: Take, { layOut }: TagSetting): Block[] {
  const words = take(items)
  if (words.length === 0) return []
  return layOut(words).map(block => (block.role === 'paragraph' ? { ...block, role } : block))
}

/** Joins a paragraph to the one before it if it goes on in the same line. Returns the blocks to add. */
function joinSameLine(before: Block[], made: Block[]): Block[] {
  const [first, ...others] = made
  const last = before.at(-1)
  const [end, start] = [last?.lines.at(-1), first?.lines[0]]
  if (!last || !first || !end || !start || last.role !== first.role || last.role !== 'paragraph') return made
  const gap = start.isRightToLeft ? end.left - start.right : start.left - end.right
  const isSame = Math.abs(end.baseline - start.baseline) < 0.2 * end.size && gap > -0.2 * end.size && gap < end.size
  if (!isSame) return made
  const words = start.isRightToLeft ? [...start.words, ...end.words] : [...end.words, ...start.words]
  last.lines = [
    ...last.lines.slice(0, -1),
    makeLine(joinTouching(words.toSorted((one, other) => one.left - other.left))),
    ...first.lines.slice(1),
  ]
  last.area = areaAround([last.area, first.area])
  return others
}

function hasReplacement({ items }: TaggedPart): boolean {
  return items.some(({ replacement }) => replacement !== undefined)
}

function makeBlock(part: TaggedPart, take: Take, { images, areaOf, isTypewritten }: TagSetting): Block[] {
  if (part.rows) {
    const table = makeTable(part.rows, take)
    const areas = table.cells.flatMap(cell => cell.lines)
    return areas.length > 0 ? [{ role: 'table', area: areaAround(areas), lines: [], table }] : []
  }
  const marks = take(part.items.filter(item => item.isMark))
  const words = take(part.items.filter(item => !item.isMark))
  const lines = toLines(words)
  const replaced = replacementOf(part.items)
  const areas: Area[] = [...words, ...marks, ...(part.role === 'figure' ? images : [])]
  const box = part.role === 'figure' && part.box ? areaOf(part.box) : undefined
  if (areas.length === 0 && box && (part.items.length > 0 || part.alternativeText)) areas.push(box)
  if (areas.length === 0 && !part.alternativeText && !replaced) return []
  const area = areas.length > 0 ? areaAround(areas) : { left: 0, top: 0, right: 0, bottom: 0 }
  const block: Block = { role: part.role, area, lines }
  // A paragraph of a font with equal widths is code, unless an inline tag in it says so of its words.
  if ((part.role === 'paragraph' || part.role === 'quote') && !isTypewritten && isTaggedCode(lines, part))
    block.role = 'code'
  if (part.level !== undefined) block.level = part.level
  if (part.alternativeText) block.alternativeText = part.alternativeText
  if (replaced !== undefined) block.actualText = replaced
  if (part.role !== 'list-item') return [block]
  setMarker(block, marks)
  return isTypewritten || replaced !== undefined ? [block] : divideCode(block)
}

/** An element that only groups is a block, so that its code is more than a part of a line. */
function isTaggedCode(lines: readonly TextLine[], { hasCode, isLoose }: TaggedPart): boolean {
  return lines.length > (hasCode && isLoose === undefined ? 1 : 0) && isCodeBlock(lines)
}

/** Divides several lines of code from the text of a list item before them. Text after them is a paragraph. */
function divideCode(block: Block): Block[] {
  const { lines } = block
  const start = lines.findIndex((line, at) => at > 0 && isCode(line))
  const length = start < 0 ? 0 : lines.slice(start).findIndex(line => !isCode(line))
  const end = length < 0 ? lines.length : start + length
  if (start < 0 || end - start < 2) return [block]
  const part = (role: Block['role'], own: TextLine[]): Block[] =>
    own.length > 0 ? [{ role, area: areaAround(own), lines: own }] : []
  return [
    { ...block, lines: lines.slice(0, start), area: areaAround(lines.slice(0, start)) },
    ...part('code', lines.slice(start, end)),
    ...part('paragraph', lines.slice(end)),
  ]
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

/** The text of items that all have a replacement. Undefined for others. */
function replacementOf(items: readonly ContentItem[]): string | undefined {
  // A replacement of a part of a paragraph would need the text around it, which its words already are.
  const isWhole = items.length > 0 && items.every(({ replacement }) => replacement !== undefined)
  if (!isWhole) return undefined
  const texts = new Set(items.flatMap(({ replacement }) => replacement ?? []))
  return [...texts].map(({ text }) => text).join(' ')
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

function makeTable(rows: readonly TaggedCell[][], take: Take): Table {
  const taken = new Set<string>()
  const cells: TableCell[] = []
  let columnCount = 0
  let places = 0
  const filled = orderCells(rows.map(row => row.map(cell => ({ cell, words: take(cell.items) }))))
  const rowCount = filled.length
  for (const [row, tagged] of filled.entries()) {
    let column = 0
    for (const { cell, words } of tagged) {
      const { isHeader, rowSpan: stated, columnSpan, items } = cell
      while (taken.has(`${row} ${column}`)) column++
      const rowSpan = Math.min(stated, rowCount - row)
      places += rowSpan * columnSpan
      if (places > MAX_PLACES) return { rowCount, columnCount, cells }
      for (let r = row; r < row + rowSpan; r++)
        for (let c = column; c < column + columnSpan; c++) taken.add(`${r} ${c}`)
      const lines = toLines(words)
      const actualText = replacementOf(items)
      cells.push({ row, column, rowSpan, columnSpan, isHeader, lines, ...(actualText !== undefined && { actualText }) })
      column += columnSpan
      columnCount = Math.max(columnCount, column)
    }
  }
  return { rowCount, columnCount, cells }
}
