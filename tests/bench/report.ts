/** Prints a line of the benchmark's report. */
export function print(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** Prints rows as a table. The first row is the header. */
export function printTable(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  rows.forEach((row, index) => {
    print(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
    )
    if (index === 0) print(`  ${widths.map(width => '-'.repeat(width)).join('  ')}`)
  })
}

/** The median. NaN for an empty list. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** A figure beside its goal, which is a maximum. Marked if the figure misses the goal. */
export function against(figure: number, goal: number, digits = 2): string {
  return `${figure.toFixed(digits)} (≤ ${goal})${figure <= goal ? ' ' : '!'}`
}

/** Like `against`, for a goal that is a minimum. */
export function atLeast(figure: number, goal: number, digits = 2): string {
  return `${figure.toFixed(digits)} (≥ ${goal})${figure >= goal ? ' ' : '!'}`
}

export const formatMs = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
export const formatMb = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 0)} MB`
