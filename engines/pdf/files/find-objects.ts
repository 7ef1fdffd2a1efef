import type { InputFile } from './input-file'
import { asBuffer } from '../syntax/syntax'
import { AT_OFFSET, IN_STREAM } from './xref'

/**
 * Finds all objects whose bytes contain `word`, stream data included, and returns their numbers in ascending order. May
 * return some other objects too. The file must not have needed a repair, because a rebuilt table doesn't tell which
 * object bytes belong to.
 */
export function findObjectsWith(source: InputFile, word: Buffer): number[] {
  const { table } = source
  const found = new Set<number>()
  const atOffset: number[] = []
  const containers = new Set<number>()
  for (let number = 0; number < table.size; number++) {
    if (table.kinds[number] === AT_OFFSET) atOffset.push(number)
    else if (table.kinds[number] === IN_STREAM) containers.add(table.locations[number] as number)
  }
  const locationOf = (number: number): number => table.locations[number] as number
  collectHolders(source.bytes, word, { numbers: atOffset, locationOf, found })
  for (const container of containers) {
    const { data, numbers, offsets } = source.container(container) ?? {}
    if (!data || !numbers || !offsets) continue
    const locations = new Map(numbers.map((number, index) => [number, offsets[index] ?? 0]))
    collectHolders(data, word, { numbers, locationOf: number => locations.get(number) ?? 0, found })
  }
  return [...found].sort((one, other) => one - other)
}

/** Adds the number of each object that has the word between its start and the start of the next object. */
function collectHolders(
  bytes: Uint8Array,
  word: Buffer,
  { numbers, locationOf, found }: { numbers: number[]; locationOf(number: number): number; found: Set<number> },
): void {
  const buffer = asBuffer(bytes)
  let at = buffer.indexOf(word)
  if (at < 0) return
  const sorted = numbers.toSorted((one, other) => locationOf(one) - locationOf(other))
  for (let index = 0; index < sorted.length && at >= 0; index++) {
    const next = index + 1 < sorted.length ? locationOf(sorted[index + 1] as number) : bytes.length
    if (at >= next) continue
    if (at >= locationOf(sorted[index] as number)) found.add(sorted[index] as number)
    at = buffer.indexOf(word, next)
  }
}
