import { measureDistance } from './edit-distance'

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
