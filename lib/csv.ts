/** A value of a table. Null is an empty cell. */
export type Cell = string | number | boolean | Date | null

/** Streams a table as CSV (RFC 4180, UTF-8), row by row as fast as it is read. */
export function streamCsv(header: string[], rows: AsyncGenerator<Cell[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const writePart = async () => {
    let part = ''
    while (part.length < PART_CHARACTERS) {
      const next = await rows.next()
      if (next.done) return { part, isLast: true }
      part += writeRow(next.value)
    }
    return { part, isLast: false }
  }
  return new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(encoder.encode(writeRow(header))),
    async pull(controller) {
      const { part, isLast } = await writePart()
      if (part !== '') controller.enqueue(encoder.encode(part))
      if (isLast) controller.close()
    },
    async cancel() {
      await rows.return(undefined)
    },
  })
}

const PART_CHARACTERS = 32 * 1024

/** Returns one row with its line end. */
export function writeRow(cells: Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

/** Texts that a spreadsheet would take for a formula get an apostrophe before them (OWASP, CSV Injection). */
function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const safeText = /^[\s]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}
