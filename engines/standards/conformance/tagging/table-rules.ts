import { UNDECIDED } from '../examination/rules'
import type { Rule } from '../examination/rules'
import type { TableGrid } from './table-grid'
import type { Unconnected } from './find-unconnected-cell'
import { quote } from './values'

/** Rules on the grid of a table (ISO 14289-1, 7.2). */
export const GRID_RULES: readonly Rule<TableGrid>[] = [
  {
    in: { 'pdfua-1': '7.2-41' },
    message: 'All columns of a table must have the same number of rows, with row spans counted.',
    check(grid) {
      if (grid.state === 'too-large') return UNDECIDED
      return grid.state === 'wrong-row-span' ? `a cell in column ${grid.column + 1} extends too far` : undefined
    },
  },
  {
    in: { 'pdfua-1': '7.2-42' },
    message: 'No row of a table may have more columns than the first row, with column spans counted.',
    check(grid) {
      if (grid.state === 'too-large') return UNDECIDED
      return grid.state === 'wrong-column-span' ? `row ${grid.row + 1} has too many columns` : undefined
    },
  },
  {
    in: { 'pdfua-1': '7.2-43' },
    message: 'No row of a table may have fewer columns than the first row, with column spans counted.',
    check(grid) {
      if (grid.state === 'too-large') return UNDECIDED
      return grid.state === 'short-row' ? `row ${grid.row + 1} has only ${grid.columns} columns` : undefined
    },
  },
]

/** Rules on a cell of a table's grid (ISO 14289-1, 7.2). */
export const CELL_RULES: readonly Rule<{ state: TableGrid['state'] }>[] = [
  {
    in: { 'pdfua-1': '7.2-15' },
    message: 'Table cells must not overlap.',
    check({ state }) {
      if (state === 'too-large') return UNDECIDED
      return state === 'intersection' ? 'an overlapping cell' : undefined
    },
  },
]

/** Rules on the header cells of a data cell (ISO 14289-1, 7.5). */
export const HEADER_RULES: readonly Rule<Unconnected | 'too-large'>[] = [
  {
    in: { 'pdfua-1': '7.5-1' },
    message: 'Table header cells must have a Scope attribute if no /Headers entry connects them to data cells.',
    check(cell) {
      if (cell === 'too-large') return UNDECIDED
      return cell.unknownHeaders.length === 0 ? 'a data cell without header cells' : undefined
    },
  },
  {
    in: { 'pdfua-1': '7.5-2' },
    message: 'The /Headers entry of a table cell must list IDs of header cells.',
    check(cell) {
      if (cell === 'too-large') return UNDECIDED
      const [header] = cell.unknownHeaders
      return header === undefined ? undefined : `unknown ID ${quote(header)}`
    },
  },
]
