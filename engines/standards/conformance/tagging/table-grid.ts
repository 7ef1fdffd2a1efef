import type { PDFDict } from 'pdf-lib'
import { PDFArray, PDFName, PDFNumber } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { attributeOf } from './attributes'
import type { StructureElement, StructureTree } from './structure-tree'

/** Maximum number of places in a grid. Spans could make it far larger than the file. */
const MAX_PLACES = 2_000_000

const ROW_GROUPS = new Set(['THead', 'TBody', 'TFoot'])

/** A cell with its place in the grid. */
export interface TableCell {
  element: StructureElement
  row: number
  column: number
  rowSpan: number
  columnSpan: number
}

/** The cells of a table in rows and columns, or why they form no grid. Rows and columns count from 0. */
export type TableGrid =
  | { state: 'regular'; rows: TableCell[][] }
  | { state: 'empty' }
  | { state: 'too-large' }
  /** A cell extends below the last row. */
  | { state: 'wrong-row-span'; column: number }
  /** A cell extends beyond the last column. */
  | { state: 'wrong-column-span'; row: number }
  /** A row has fewer cells than the first row. */
  | { state: 'short-row'; row: number; columns: number }
  | { state: 'intersection'; cells: [TableCell, TableCell] }

/** Places the cells of a table as readers do. The first row tells the number of columns. */
export function layOutTable(document: PdfDocument, tree: StructureTree, table: StructureElement): TableGrid {
  const listed = rowsOf(tree, table).map(row => tree.significantKids(row))
  const cells = listed.map(kids => kids.filter(kid => isCell(kid)).map(element => toCell(document, tree.root, element)))
  const height = countRows(
    listed.map((kids, row) => (kids[0] && isCell(kids[0]) ? (cells[row]?.[0]?.rowSpan ?? 0) : 0)),
  )
  const width = (cells[0] ?? []).reduce((sum, cell) => sum + cell.columnSpan, 0)
  if (height === 0) return { state: 'empty' }
  if (height * width > MAX_PLACES) return { state: 'too-large' }
  return placeCells(cells, height, width)
}

/** Rows of the table and of its groups of rows, in order. */
function rowsOf(tree: StructureTree, table: StructureElement): readonly StructureElement[] {
  return tree.significantKids(table).flatMap(kid => {
    if (kid.standardType === 'TR') return [kid]
    if (kid.standardType === undefined || !ROW_GROUPS.has(kid.standardType)) return []
    return tree.significantKids(kid).filter(row => row.standardType === 'TR')
  })
}

function isCell(element: StructureElement): boolean {
  return element.standardType === 'TH' || element.standardType === 'TD'
}

/** Adds the spans of the rows' first cells. A cell that spans rows counts for those rows too. */
function countRows(spans: readonly number[]): number {
  let height = 0
  for (let row = 0; row < spans.length; row++) {
    const span = spans[row] ?? 0
    height += span
    if (span > 1) row += span - 1
  }
  return height
}

/**
 * Returns a cell with its spans, which `placeCells` then moves to its place. A span is 1 if the element states none.
 */
function toCell(document: PdfDocument, root: PDFDict, element: StructureElement): TableCell {
  const span = (key: string): number => {
    const value = attributeOf(document, { root, element: element.dict, owner: 'Table', key }, isInteger)
    return value instanceof PDFNumber ? Math.max(0, value.asNumber()) : 1
  }
  return { element, row: 0, column: 0, rowSpan: span('RowSpan'), columnSpan: span('ColSpan') }
}

function isInteger(value: unknown): boolean {
  return value instanceof PDFNumber && Number.isSafeInteger(value.asNumber())
}

function placeCells(listed: readonly TableCell[][], height: number, width: number): TableGrid {
  const rows = Array.from({ length: height }, () => Array.from<TableCell | undefined>({ length: width }))
  let tooLong: number | undefined
  for (const [row, cells] of listed.entries()) {
    let column = 0
    for (const cell of cells) {
      while (column < width && rows[row]?.[column]) column++
      if (column + cell.columnSpan > width)
        return tooLong === undefined
          ? { state: 'wrong-column-span', row }
          : { state: 'wrong-row-span', column: tooLong }
      if (row + cell.rowSpan > height || row >= height) return { state: 'wrong-row-span', column }
      cell.row = row
      cell.column = column
      const other = occupy(rows, cell)
      // Rows that only a span makes up are allowed. If cells then don't fit, the span is to blame.
      if (row + cell.rowSpan > listed.length) tooLong ??= column
      if (other) return { state: 'intersection', cells: [other, cell] }
      column += cell.columnSpan
    }
  }
  const full: TableCell[][] = []
  for (const [row, places] of rows.entries()) {
    const filled = places.filter(cell => cell !== undefined)
    if (filled.length < width) return { state: 'short-row', row, columns: filled.length }
    full.push(filled)
  }
  return { state: 'regular', rows: full }
}

/** Returns the cell that is already in one of the places. */
function occupy(rows: (TableCell | undefined)[][], cell: TableCell): TableCell | undefined {
  for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
    for (let column = cell.column; column < cell.column + cell.columnSpan; column++) {
      const places = rows[row]
      if (places?.[column]) return places[column]
      if (places) places[column] = cell
    }
  }
  return undefined
}

/** The value of a Table attribute that is a name, such as /Scope. */
export function scopeOf(document: PdfDocument, root: PDFDict, element: PDFDict): string | undefined {
  const value = attributeOf(
    document,
    { root, element, owner: 'Table', key: 'Scope' },
    scope => scope instanceof PDFName,
  )
  return value instanceof PDFName ? value.decodeText() : undefined
}

/** /Headers: the IDs of a cell's header cells. */
export function headersOf(document: PdfDocument, root: PDFDict, element: PDFDict): PDFArray | undefined {
  const value = attributeOf(
    document,
    { root, element, owner: 'Table', key: 'Headers' },
    headers => headers instanceof PDFArray,
  )
  return value instanceof PDFArray ? value : undefined
}
