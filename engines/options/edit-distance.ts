/**
 * Returns how many letters have to be inserted, removed, replaced or swapped with their neighbor to get from one word
 * to the other (Damerau-Levenshtein distance with adjacent transpositions).
 */
export function measureDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const read = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    const distances = [row]
    rows.push(distances)
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const replaced = read(row - 1, column - 1) + (isSame ? 0 : 1)
      const swapped = isSwapped ? read(row - 2, column - 2) + 1 : Infinity
      distances.push(Math.min(replaced, swapped, read(row - 1, column) + 1, (distances[column - 1] ?? 0) + 1))
    }
  }
  return read(from.length, to.length)
}
