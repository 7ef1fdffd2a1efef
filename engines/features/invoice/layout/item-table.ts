import { SPLIT_FROM, alignFirstLines, drawColumns, heightOf, heightOfColumns, placeColumns } from './columns'
import type { Column } from './columns'
import type { Draft } from './draft'
import type { ColumnKey, TableLayout } from './item-columns'
import { layOutTable } from './item-columns'
import { listItemNotes } from './item-notes'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'

/** Number of rows that stay on one page with the totals, if there is room. */
const LAST_ROWS = 2

/**
 * Draws the items with the header row on every page. `tailPt` is the height of the content that must stay on one page
 * with the last rows.
 */
export async function placeItems(draft: Draft, table: Tag, tailPt: number): Promise<void> {
  const { sheet, invoice } = draft
  const { tags } = sheet
  const layout = layOutTable(draft)
  const header = await setHeader(draft, layout, tags.add('TR', tags.add('THead', table)))
  const body = tags.add('TBody', table)
  if (sheet.remaining < heightOf(header[0]?.lines ?? []) + MOST_ROW_START) sheet.newPage()
  drawHeader(draft, header)
  const previousHandler = sheet.onNewPage
  const untaggedHeader = header.map(column => ({
    ...column,
    lines: column.lines.map(line => ({ ...line, parts: line.parts.map(part => ({ ...part, tag: undefined })) })),
  }))
  sheet.onNewPage = () => {
    previousHandler?.()
    drawHeader(draft, untaggedHeader)
  }
  // The first row stays below the heading of the table.
  const firstOfLast = Math.max(1, invoice.items.length - LAST_ROWS)
  const last: Row[] = []
  for (const index of invoice.items.keys()) {
    const section = await setSection(draft, layout, { index, body })
    const row = { section, cells: await setRow(draft, layout, { index, tag: tags.add('TR', body) }) }
    if (index >= firstOfLast) last.push(row)
    else placeRow(draft, row, isLastTall(draft, index, row) ? tailPt : 0)
  }
  for (const [index, row] of last.entries()) {
    const below = last.slice(index + 1).reduce((sum, next) => sum + heightOfRow(next), 0)
    placeRow(draft, row, below + tailPt)
  }
  sheet.onNewPage = previousHandler
}

/** Returns whether a row is the only one, and is split over pages. Its last lines then stay with the totals. */
function isLastTall({ sheet, invoice }: Draft, index: number, row: Row): boolean {
  return index === invoice.items.length - 1 && heightOfRow(row) > sheet.bodyHeight * SPLIT_FROM
}

/** Minimum room for the start of a row. With less room, the table begins on the next page. */
const MOST_ROW_START = 40

/** The cells of an item, and the heading of the section that begins with it. */
interface Row {
  section: Column | undefined
  cells: Column[]
}

function heightOfRow({ section, cells }: Row): number {
  return (section ? heightOf(section.lines) + RULE : 0) + heightOfColumns(cells) + RULE
}

/** Widths of the lines below a row and below the header, in points. */
const RULE = 0.5
const HEADER_RULE = 0.9

/** Distance above and below headings, as a share of the padding of a row. */
const HEADER_PAD = { tinted: 0.7, plain: 0.6 }
const SECTION_PAD = { above: 1.4, below: 0.6 }

function placeRow({ sheet }: Draft, { section, cells }: Row, tailPt: number): void {
  if (section) {
    const start = Math.min(heightOfColumns(cells) + tailPt, sheet.bodyHeight * SPLIT_FROM)
    placeColumns(sheet, [section], { tailPt: start + 2 * RULE })
    sheet.rule(sheet.theme.line, RULE)
    sheet.y += RULE
  }
  placeColumns(sheet, cells, { tailPt: tailPt + RULE })
  sheet.rule(sheet.theme.line, RULE)
  sheet.y += RULE
}

function drawHeader({ sheet }: Draft, columns: Column[]): void {
  const { theme } = sheet
  const height = Math.max(...columns.map(({ lines }) => heightOf(lines)))
  if (theme.isHeaderTinted) sheet.paint({ x: theme.margin, y: sheet.y, width: sheet.width, height }, theme.tint)
  drawColumns(sheet, columns)
  if (theme.isHeaderTinted) return
  sheet.rule(theme.ink, HEADER_RULE)
  sheet.y += HEADER_RULE
}

/** Typesets the headings of the columns. */
async function setHeader({ setter, sheet }: Draft, { columns }: TableLayout, row: Tag): Promise<Column[]> {
  const { looks, rowPad, isHeaderTinted } = sheet.theme
  const pad = setter.gap(rowPad * HEADER_PAD[isHeaderTinted ? 'tinted' : 'plain'])
  const cells: Column[] = []
  for (const { label, x, width, align } of columns) {
    const lines = await setter.lines(label, looks.heading, width, { align, tag: sheet.tags.addHeading('Column', row) })
    cells.push({ x, width, lines: [pad, ...lines, pad] })
  }
  const aligned = isOneLine(cells) ? alignFirstLines(cells) : cells
  const height = Math.max(...aligned.map(cell => heightOf(cell.lines)))
  // Short headings are aligned at the bottom of the row, next to their columns.
  return isOneLine(cells)
    ? aligned
    : cells.map(cell => ({ ...cell, lines: [setter.gap(height - heightOf(cell.lines)), ...cell.lines] }))
}

/** Returns whether all headings have a single line, between two gaps. */
function isOneLine(cells: readonly Column[]): boolean {
  return cells.every(({ lines }) => lines.length <= 3)
}

/** Sets the heading of a section if one begins with this item. */
async function setSection(
  { setter, sheet, invoice }: Draft,
  { columns }: TableLayout,
  { index, body }: { index: number; body: Tag },
): Promise<Column | undefined> {
  const title = invoice.items[index]?.section?.trim()
  const [first, end] = [columns[0], columns.at(-1)]
  if (!title || title === previousSection(invoice, index) || !first || !end) return undefined
  const { looks, rowPad } = sheet.theme
  const width = end.x + end.width - first.x
  const tag = sheet.tags.addHeading('Row', sheet.tags.add('TR', body), columns.length)
  const lines = await setter.lines(title, looks.strong, width, { tag, param: `items[${index}].section` })
  const [above, below] = [setter.gap(rowPad * SECTION_PAD.above), setter.gap(rowPad * SECTION_PAD.below)]
  return { x: first.x, width, lines: [above, ...lines, below] }
}

/** Returns the heading that the items before this one are under. */
function previousSection({ items }: Draft['invoice'], index: number): string | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const title = items[at]?.section?.trim()
    if (title) return title
  }
  return undefined
}

async function setRow(
  draft: Draft,
  { columns, cells, scale }: TableLayout,
  { index, tag: row }: { index: number; tag: Tag },
): Promise<Column[]> {
  const { setter, sheet } = draft
  const { looks, rowPad } = sheet.theme
  const pad = setter.gap(rowPad)
  const placed: Column[] = []
  for (const { key, x, width, align, isText } of columns) {
    const tag = sheet.tags.add('TD', row)
    const lines = [pad]
    if (key === 'description') lines.push(...(await setDescription(draft, { index, width, tag })))
    else if (isText)
      lines.push(
        ...(await setter.lines(cells[key]?.[index] ?? '', looks.body, width, {
          align,
          tag,
          param: `items[${index}].${PARAMS[key] ?? key}`,
        })),
      )
    else {
      const look = key === 'amount' ? looks.strongFigure : looks.figure
      lines.push(setter.line(cells[key]?.[index] ?? '', { ...look, sizePt: look.sizePt * scale }, { align, tag }))
    }
    placed.push({ x, width, lines: [...lines, pad] })
  }
  return alignFirstLines(placed)
}

/** The fields of columns whose names differ. */
const PARAMS: Partial<Record<ColumnKey, string>> = { position: 'lineId', tax: 'taxes' }

async function setDescription(
  draft: Draft,
  { index, width, tag }: { index: number; width: number; tag: Tag },
): Promise<Line[]> {
  const { setter, sheet, invoice } = draft
  const { looks } = sheet.theme
  const item = invoice.items[index]
  if (!item) return []
  const lines = await setter.lines(item.description, looks.body, width, { tag, param: `items[${index}].description` })
  for (const { text, param } of listItemNotes(draft, index))
    lines.push(...(await setter.lines(text, looks.soft, width, { tag, param })))
  return lines
}
