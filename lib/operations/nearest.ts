/** The name that was probably meant by `given`, if one is near enough to a known one. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const wanted = given.slice(0, 80).toLowerCase()
  const [best] = known
    .map(name => ({ name, distance: measureDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, wanted.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}

/**
 * Letters to insert, remove, replace or swap with their neighbor to get from one word to the other
 * (Damerau-Levenshtein).
 */
function measureDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  const read = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    rows.push([row])
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const costs = [read(row - 1, column) + 1, read(row, column - 1) + 1, read(row - 1, column - 1) + (isSame ? 0 : 1)]
      if (isSwapped) costs.push(read(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...costs))
    }
  }
  return read(from.length, to.length)
}
