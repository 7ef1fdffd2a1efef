/** Names that are compared, and characters of each: a form may have thousands of fields with long names. */
const MAX_NAMES = 2000
const MAX_LENGTH = 100

/**
 * The known name that `name` most likely stands for; undefined if none is near. A name is near if at most a third of
 * its characters differ. Letter case doesn't count.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH)
  let nearest: string | undefined
  let leastDistance = Infinity
  for (const candidate of known.slice(0, MAX_NAMES)) {
    const text = candidate.toLowerCase().slice(0, MAX_LENGTH)
    const bound = Math.max(1, Math.floor(Math.max(text.length, wanted.length) / 3))
    if (Math.abs(text.length - wanted.length) > bound) continue
    const distance = measureDistance(wanted, text)
    if (distance <= bound && distance < leastDistance) [nearest, leastDistance] = [candidate, distance]
  }
  return nearest
}

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
