import { measureDistance } from '../../engines/options/nearest-name'

/** Longer names aren't compared. No field has a longer name. */
const MAX_LENGTH = 100
/** From this length on, two letters may differ. */
const LONG_NAME = 6

/**
 * Returns the known name that a client probably meant. Undefined if none resembles `name`. A name resembles another one
 * if both are equal without letter case, `_`, `-` and a plural s, or if one letter differs (two in names of six letters
 * or more). A swap of neighboring letters counts as one. `options[angle]`, `options.angle` and `files[]` resemble
 * `options` and `files`.
 */
export function findResemblingName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const base = /^([^.[]+)[.[]/.exec(name)?.[1]
  return (base === undefined ? undefined : findSimilar(base, known)) ?? findSimilar(name, known)
}

function findSimilar(name: string, known: readonly string[]): string | undefined {
  const simpleName = simplify(name)
  let nearest: string | undefined
  let leastDistance = Infinity
  for (const candidate of known) {
    const bound = Math.min(candidate.length >= LONG_NAME ? 2 : 1, candidate.length - 1)
    if (Math.abs(candidate.length - name.length) > bound + 2) continue
    const difference = Math.abs(candidate.length - name.length)
    const isSame = simplify(candidate) === simpleName
    // Words whose lengths differ by more letters have at least that distance.
    if (!isSame && difference > bound) continue
    const distance = isSame ? 0 : measureDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= bound && distance < leastDistance) [nearest, leastDistance] = [candidate, distance]
  }
  return nearest
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '').replace(/s$/, '')
}
