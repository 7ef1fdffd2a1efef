import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import type { StructureElement, StructureTree } from './structure-tree'
import { headersOf, scopeOf } from './table-grid'
import type { TableCell } from './table-grid'
import { isString, textEntry } from './values'

/** A data cell without header cells. */
export interface Unconnected {
  element: StructureElement
  /** IDs in /Headers that no header cell has. */
  unknownHeaders: string[]
}

/**
 * The first data cell that readers can't connect to its header cells (ISO 14289-1, 7.5). If every header cell has a
 * scope, or if the table has no header cells, all cells count as connected.
 */
export function findUnconnectedCell(
  document: PdfDocument,
  tree: StructureTree,
  rows: readonly TableCell[][],
): Unconnected | undefined {
  const scopes = new Map<TableCell, string | undefined>()
  const ids = new Set<string>()
  for (const cell of rows.flat()) {
    if (cell.element.standardType !== 'TH' || scopes.has(cell)) continue
    scopes.set(cell, scopeOf(document, tree.root, cell.element.dict))
    const id = textEntry(document, cell.element.dict, 'ID')
    if (id) ids.add(id)
  }
  if ([...scopes.values()].every(scope => scope !== undefined)) return undefined
  const covered = cellsInScope(rows, scopes)
  for (const cell of new Set(rows.flat())) {
    if (cell.element.standardType !== 'TD') continue
    const headers = (headersOf(document, tree.root, cell.element.dict)?.asArray() ?? [])
      .map(value => document.peek(value))
      .filter(value => isString(value))
      .map(value => readText(value) ?? '')
    const unknownHeaders = headers.filter(header => !ids.has(header))
    const isConnected = (headers.length > 0 && unknownHeaders.length === 0) || covered.has(cell)
    if (!isConnected) return { element: cell.element, unknownHeaders }
  }
  return undefined
}

/** What a search for header cells meets from a place on, away from a data cell. */
interface Search {
  /** A header cell with the right scope, if no header cell was met before. */
  fresh: boolean
  /** The same after a header cell: the search ends at the next data cell. */
  behindHeader: boolean
}

const NOTHING: Search = { fresh: false, behindHeader: false }

/** The cells with a header cell above them or to their left whose scope covers them. */
function cellsInScope(
  rows: readonly TableCell[][],
  scopes: ReadonlyMap<TableCell, string | undefined>,
): Set<TableCell> {
  const covered = new Set<TableCell>()
  const above: Search[] = []
  for (const [row, cells] of rows.entries()) {
    let left = NOTHING
    for (const [column, cell] of cells.entries()) {
      // Cells that span places are searched from their first row and column.
      if ((cell.row === row && above[column]?.fresh) || (cell.column === column && left.fresh)) covered.add(cell)
      above[column] = extend(above[column] ?? NOTHING, cell, scopes, 'Column')
      left = extend(left, cell, scopes, 'Row')
    }
  }
  return covered
}

function extend(
  before: Search,
  cell: TableCell,
  scopes: ReadonlyMap<TableCell, string | undefined>,
  direction: string,
): Search {
  if (cell.element.standardType !== 'TH') return { fresh: before.fresh, behindHeader: false }
  const scope = scopes.get(cell)
  if (scope === direction || scope === 'Both') return { fresh: true, behindHeader: true }
  return { fresh: before.behindHeader, behindHeader: before.behindHeader }
}
