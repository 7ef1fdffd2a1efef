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
  const wanted = describeName(name)
  let nearest: string | undefined
  let leastDistance = Infinity
  for (const candidate of describeNames(known)) {
    const distance = measureWithin(wanted, candidate)
    if (distance < leastDistance) [nearest, leastDistance] = [candidate.name, distance]
  }
  return nearest
}

/** What is compared of a name. A request may have a thousand unknown names to compare with a hundred known ones. */
interface ComparedName {
  name: string
  lower: string
  /** Without `_`, `-` and a plural s. */
  simple: string
  /** The largest distance of a name that resembles this one. */
  bound: number
  /** A bit for each character that occurs. Several characters share a bit. */
  characters: number
}

/** The distance of two names. Infinity if it is above the bound of the known name. */
function measureWithin(wanted: ComparedName, known: ComparedName): number {
  if (known.simple === wanted.simple) return 0
  const { bound } = known
  if (Math.abs(known.lower.length - wanted.lower.length) > bound) return Infinity
  // Each change adds and removes at most one character.
  if (countBits(known.characters ^ wanted.characters) > 2 * bound) return Infinity
  const distance = measureDistance(wanted.lower, known.lower)
  return distance <= bound ? distance : Infinity
}

const describedNames = new WeakMap<readonly string[], ComparedName[]>()

function describeNames(known: readonly string[]): ComparedName[] {
  const described = describedNames.get(known) ?? known.map(describeName)
  describedNames.set(known, described)
  return described
}

function describeName(name: string): ComparedName {
  const lower = name.toLowerCase()
  let characters = 0
  for (let index = 0; index < lower.length; index++) characters |= 1 << (lower.charCodeAt(index) & 31)
  return {
    name,
    lower,
    simple: lower.replace(/[-_]/g, '').replace(/s$/, ''),
    bound: Math.min(name.length >= LONG_NAME ? 2 : 1, name.length - 1),
    characters,
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}
