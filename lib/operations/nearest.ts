/** The name that was probably meant by `given`, if one is near enough to a known one. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const wanted = given.slice(0, 80).toLowerCase()
  const [best] = known
    .map(name => ({ name, distance: measureDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, wanted.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}

/** Letters to insert, remove or replace to get from one word to the other (Levenshtein). */
function measureDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const [above = 0, aboveLeft = 0, left = 0] = [row[column], row[column - 1], next[column - 1]]
      next.push(Math.min(above + 1, left + 1, aboveLeft + (letter === to[column - 1] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
