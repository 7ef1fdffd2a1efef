import type { PagePair, TextChange, TextPart } from '../model'
import { listDifferences, matchWords } from './match-words'
import type { Difference, MatchedText } from './match-words'
import { findMovedText } from './moved-text'
import { isSamePlace, isSameWord } from './page-words'
import type { Word } from './page-words'
import { addTo } from '../../../map-entries'

/** Words by their counterpart in the other file, in both directions. */
export type Counterparts = ReadonlyMap<Word, Word>

interface TextRules {
  ignoresWhitespace: boolean
}

/** Finds the counterparts of pages by position in their document. */
class PairIndex {
  private readonly byBefore = new Map<number, PagePair>()
  private readonly byAfter = new Map<number, PagePair>()

  constructor(pairs: readonly PagePair[]) {
    for (const pair of pairs) {
      if (pair.before) this.byBefore.set(pair.before.index, pair)
      if (pair.after) this.byAfter.set(pair.after.index, pair)
    }
  }

  /** The pair that lists a change. */
  pairOf({ removed, inserted }: Pick<TextChange, 'removed' | 'inserted'>): PagePair | undefined {
    return inserted ? this.byAfter.get(inserted.page) : removed && this.byBefore.get(removed.page)
  }

  ofBefore(page: number): PagePair | undefined {
    return this.byBefore.get(page)
  }
}

/**
 * Adds the changes of text to the pairs of pages. `flows` holds the running texts, each with all pages between which
 * text may move. Returns the counterparts of the words that both files have.
 */
export function addTextChanges(
  pairs: readonly PagePair[],
  flows: readonly MatchedText[],
  { ignoresWhitespace }: TextRules,
): Counterparts {
  const index = new PairIndex(pairs)
  const counterparts = new Map<Word, Word>()
  const relate = (one: Word, other: Word): void => {
    counterparts.set(one, other)
    counterparts.set(other, one)
  }
  for (const { before, after, matches } of flows) {
    for (const [position, match] of matches.entries()) {
      const [one, other] = [before[position], after[match]]
      if (match >= 0 && one && other) relate(one, other)
    }
  }
  for (const pair of pairs) matchUnmoved(pair, counterparts, relate)
  const isOpen = (word: Word): boolean => !counterparts.has(word)
  const differences = flows
    .flatMap(listDifferences)
    .map(({ removed, inserted }) => ({ removed: removed.filter(isOpen), inserted: inserted.filter(isOpen) }))
    .filter(difference => !(ignoresWhitespace && isSameText(difference)))
  const moved = findMovedText(
    differences.map(({ removed }) => removed),
    differences.map(({ inserted }) => inserted),
  )
  const passageOf = new Map<Word, TextChange>()
  for (const { before, after } of moved) {
    const change = { kind: 'moved' as const, removed: toPart(before), inserted: toPart(after), areas: [] }
    for (const word of [...before, ...after]) passageOf.set(word, change)
  }
  for (const difference of differences) {
    for (const change of splitDifference(difference, passageOf, index)) index.pairOf(change)?.text.push(change)
  }
  return counterparts
}

/** Matches words at the same place on both pages, because files may draw the same words in a different order. */
function matchUnmoved(
  { before, after }: PagePair,
  counterparts: Counterparts,
  relate: (one: Word, other: Word) => void,
): void {
  if (!before || !after) return
  const open = new Map<string, Word[]>()
  for (const word of before.words) {
    if (counterparts.has(word)) continue
    addTo(open, placeKey(word, 0, 0), word)
  }
  if (open.size === 0) return
  for (const word of after.words) {
    if (counterparts.has(word)) continue
    for (const key of NEIGHBORS.map(([across, down]) => placeKey(word, across, down))) {
      const words = open.get(key) ?? []
      const index = words.findIndex(other => isSamePlace(word, other) && isSameWord(word, other))
      const [same] = index < 0 ? [] : words.splice(index, 1)
      if (!same) continue
      relate(same, word)
      break
    }
  }
}

/** Side in points of the squares by which words at the same place are found. */
const SQUARE_PT = 4

const NEIGHBORS = [0, -1, 1].flatMap(down => [0, -1, 1].map(across => [across, down] as const))

function placeKey({ looseKey, at: [x, y] }: Word, across: number, down: number): string {
  return `${Math.floor(x / SQUARE_PT) + across} ${Math.floor(y / SQUARE_PT) + down} ${looseKey}`
}

/** Returns whether the removed and the inserted words only differ in the spaces between them. */
function isSameText({ removed, inserted }: Difference): boolean {
  const join = (words: readonly Word[]): string => words.map(({ key }) => key).join('')
  return join(removed) === join(inserted)
}

function toPart(words: Word[]): TextPart | undefined {
  const [first] = words
  return first && { page: first.page, words }
}

/** The changes of a difference: passages that moved, and the rest by page. */
function splitDifference(
  { removed, inserted }: Difference,
  passageOf: ReadonlyMap<Word, TextChange>,
  index: PairIndex,
): TextChange[] {
  // A passage is listed once, at its place in the second file.
  const moved = new Set(inserted.flatMap(word => passageOf.get(word) ?? []))
  const [own, other] = [removed, inserted].map(words => splitByPage(words.filter(word => !passageOf.has(word))))
  return [...moved, ...combineParts(own ?? [], other ?? [], index)]
}

function splitByPage(words: readonly Word[]): TextPart[] {
  const parts: TextPart[] = []
  for (const word of words) {
    const last = parts.at(-1)
    if (last?.page === word.page) last.words.push(word)
    else parts.push({ page: word.page, words: [word] })
  }
  return parts
}

/** Words that were replaced on a page, and words that were only removed or inserted. */
function combineParts(removed: TextPart[], inserted: TextPart[], index: PairIndex): TextChange[] {
  const [onlyRemoved, onlyInserted] = [removed[0], inserted[0]]
  if (removed.length === 1 && inserted.length === 1 && onlyRemoved && onlyInserted) {
    const isLost =
      !index.ofBefore(onlyRemoved.page)?.after || !index.pairOf({ removed: undefined, inserted: onlyInserted })?.before
    if (!isLost) return [{ kind: 'replaced', removed: onlyRemoved, inserted: onlyInserted, areas: [] }]
  }
  const open = new Set(inserted)
  const changes: TextChange[] = removed.map(part => {
    const counterpart = index.ofBefore(part.page)?.after?.index
    const replacement = inserted.find(other => open.has(other) && other.page === counterpart)
    if (replacement) open.delete(replacement)
    return { kind: replacement ? 'replaced' : 'removed', removed: part, inserted: replacement, areas: [] }
  })
  for (const part of open) changes.push({ kind: 'inserted', removed: undefined, inserted: part, areas: [] })
  return changes
}

/** The running text of pages, without headers and footers. */
export function matchFlow(
  before: readonly { words: readonly Word[]; edgeWords: ReadonlySet<Word> }[],
  after: readonly { words: readonly Word[]; edgeWords: ReadonlySet<Word> }[],
): MatchedText {
  const bodies = [before, after].map(pages =>
    pages.flatMap(({ words, edgeWords }) => words.filter(word => !edgeWords.has(word))),
  )
  return matchWords(bodies[0] ?? [], bodies[1] ?? [])
}

/** The headers and footers of two pages. Either may be missing. */
export function matchEdges(
  before: { words: readonly Word[]; edgeWords: ReadonlySet<Word> } | undefined,
  after: { words: readonly Word[]; edgeWords: ReadonlySet<Word> } | undefined,
): MatchedText {
  const edges = [before, after].map(page => page?.words.filter(word => page.edgeWords.has(word)) ?? [])
  return matchWords(edges[0] ?? [], edges[1] ?? [])
}
