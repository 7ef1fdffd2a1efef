import type { Block } from '../lines/model'

/** Counts the columns of a right-to-left table from the right, as its tags would. Other blocks stay. */
export function countFromRight(block: Block): Block {
  const { table } = block
  if (!table) return block
  const lines = table.cells
    .flatMap(cell => cell.lines)
    .filter(line => line.words.some(({ text }) => /\p{L}/u.test(text)))
  if (lines.filter(line => line.isRightToLeft).length * 2 <= lines.length) return block
  const cells = table.cells
    .map(cell => ({ ...cell, column: table.columnCount - cell.column - cell.columnSpan }))
    .sort((one, other) => one.row - other.row || one.column - other.column)
  return { ...block, table: { ...table, cells } }
}
