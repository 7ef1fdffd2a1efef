/** Limits on the number and length of names to compare. A form may have thousands of fields with long names. */
const MAX_NAMES = 2000
const MAX_LENGTH = 100

/** Finds the most similar name. Undefined if none is close enough: at most a third of its characters may differ. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH)
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of known.slice(0, MAX_NAMES)) {
    const text = candidate.toLowerCase().slice(0, MAX_LENGTH)
    const bound = Math.max(1, Math.floor(Math.max(text.length, wanted.length) / 3))
    if (Math.abs(text.length - wanted.length) > bound) continue
    const distance = measureDistance(wanted, text)
    if (distance <= bound && distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** Number of letters to change, insert or delete (Levenshtein distance). */
function measureDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let index = 1; index <= to.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (from[at - 1] === to[index - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
