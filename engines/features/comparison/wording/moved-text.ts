import type { Word } from './page-words'

/** Minimum number of words and characters of a passage that is recognized at another place. */
const LEAST_WORDS = 4
const LEAST_CHARACTERS = 16

/** A passage that is at another place in the second file. In each file, all of it is on one page. */
export interface MovedPassage {
  before: Word[]
  after: Word[]
}

/**
 * Finds passages that are among both the removed and the inserted words. Each list holds runs of consecutive words.
 * Passages at more than one place aren't recognized, because it is unclear which of them moved.
 */
export function findMovedText(removed: readonly Word[][], inserted: readonly Word[][]): MovedPassage[] {
  const starts = indexStarts(removed)
  const taken = new Set<Word>()
  const passages: MovedPassage[] = []
  for (const run of inserted) {
    for (let at = 0; at + LEAST_WORDS <= run.length; at++) {
      const start = starts.get(startKey(run, at))
      if (!start) continue
      const passage = extend(start, { run, at }, taken)
      if (!passage) continue
      passages.push(...splitByPage(passage))
      for (const word of passage.before) taken.add(word)
      at += passage.after.length - 1
    }
  }
  return passages
}

interface Place {
  run: readonly Word[]
  at: number
}

function startKey(run: readonly Word[], at: number): string {
  let key = ''
  for (let index = at; index < at + LEAST_WORDS; index++) key += `${run[index]?.key}\n`
  return key
}

/** Places of passages that occur once. Undefined for others. */
function indexStarts(runs: readonly Word[][]): Map<string, Place | undefined> {
  const starts = new Map<string, Place | undefined>()
  for (const run of runs) {
    for (let at = 0; at + LEAST_WORDS <= run.length; at++) {
      const key = startKey(run, at)
      starts.set(key, starts.has(key) ? undefined : { run, at })
    }
  }
  return starts
}

function extend(from: Place, to: Place, taken: ReadonlySet<Word>): MovedPassage | undefined {
  let length = 0
  let characters = 0
  for (;;) {
    const [one, other] = [from.run[from.at + length], to.run[to.at + length]]
    if (!one || !other || one.key !== other.key || taken.has(one)) break
    length++
    characters += one.key.length
  }
  if (length < LEAST_WORDS || characters < LEAST_CHARACTERS) return undefined
  return { before: from.run.slice(from.at, from.at + length), after: to.run.slice(to.at, to.at + length) }
}

/** Splits a passage at the page ends of both files. */
function splitByPage({ before, after }: MovedPassage): MovedPassage[] {
  const parts: MovedPassage[] = []
  for (const [index, word] of before.entries()) {
    const other = after[index] as Word // both have the same length
    const last = parts.at(-1)
    if (last && last.before[0]?.page === word.page && last.after[0]?.page === other.page) {
      last.before.push(word)
      last.after.push(other)
    } else {
      parts.push({ before: [word], after: [other] })
    }
  }
  return parts
}
