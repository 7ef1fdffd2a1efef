import { PDFRef } from 'pdf-lib'

/** References of generation 0 by object number, in rows of this many. */
const ROW = 1024

const rows: (PDFRef | undefined)[][] = []

/**
 * The one reference to an object: pdf-lib's own, which makes a text of every number that it looks up. pdf-lib keeps
 * each for the life of the process in any case.
 */
export function referenceTo(number: number, generation: number): PDFRef {
  if (generation !== 0) return PDFRef.of(number, generation)
  const index = Math.floor(number / ROW)
  while (rows.length <= index) rows.push([])
  let row = rows[index] as (PDFRef | undefined)[] // the line above made it
  if (row.length === 0) row = rows[index] = Array.from({ length: ROW })
  return (row[number % ROW] ??= PDFRef.of(number, 0))
}
