import { PDFRef } from 'pdf-lib'

/** Size of the rows in which references of generation 0 are cached, by object number. */
const ROW = 1024

const rows: (PDFRef | undefined)[][] = []

/**
 * Returns pdf-lib's single reference to an object. pdf-lib creates a string for every lookup, so cache the references
 * here. pdf-lib keeps all references for the life of the process anyway.
 */
export function referenceTo(number: number, generation: number): PDFRef {
  if (generation !== 0) return PDFRef.of(number, generation)
  const index = Math.floor(number / ROW)
  while (rows.length <= index) rows.push([])
  let row = rows[index] as (PDFRef | undefined)[] // created by the loop above
  if (row.length === 0) row = rows[index] = Array.from({ length: ROW })
  return (row[number % ROW] ??= PDFRef.of(number, 0))
}
