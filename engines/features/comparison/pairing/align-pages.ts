import { createHash } from 'node:crypto'
import type { MatchedText } from '../wording/match-words'
import type { ComparedFile, ComparedPage } from '../model'
import { compareLooks, reducePages } from './page-looks'
import type { PageLook } from './page-looks'
import { choosePairs, findGaps, pairEqualPages, pairReplacedPages } from './pair-pages'
import type { Candidate, PageGap, PagePositions } from './pair-pages'
import { matchEdges, matchFlow } from '../wording/text-changes'

/** The pages of two files that belong together, by their positions among the compared pages. */
export interface AlignedPages {
  /** Pages in the same order in both files. */
  pairs: PagePositions[]
  /** Pages that moved to another place. */
  moved: PagePositions[]
  /** All running texts with their matches, and the headers and footers of each pair. */
  flows: MatchedText[]
}

interface Files {
  before: ComparedFile
  after: ComparedFile
}

/** A page with fewer words is recognized by its appearance. */
const FEW_WORDS = 5

/** Minimum number of words by which a page is recognized at another place. */
const RECOGNIZED_WORDS = 5

/** Minimum share of common text, and of common ink, of pages that belong together in their order. */
const LEAST_TEXT = 0.12
const LEAST_INK = 0.45

/** The same for pages at different places. */
const LEAST_MOVED_TEXT = 0.3
const LEAST_MOVED_INK = 0.8

/** Number of words in a row that count as common text. Single words occur on all pages. */
const COMMON_RUN = 3

/** Runs of words on more pages than this don't distinguish one page from another. */
const MAX_HOLDERS = 20

/**
 * Maximum number of pages of a file that are recognized by their appearance. Further pages are paired only by their
 * order.
 */
const MAX_LOOKS = 300

/** Finds the pages that belong together. `equal` has the pages that are known to be equal. */
export async function alignPages(
  files: Files,
  equal: { inOrder: PagePositions[]; moved: PagePositions[] },
): Promise<AlignedPages> {
  const { before, after } = files
  const sameText = pairSameText(files, equal)
  const moved = [...equal.moved, ...sameText.moved]
  const counts = { beforeCount: before.pages.length, afterCount: after.pages.length }
  const looks = new Looks(files)
  let gaps = await measureGaps(files, findGaps(counts, sameText.inOrder, moved), looks)
  const edited = await findEditedMoves(files, gaps, looks)
  if (edited.length) {
    moved.push(...edited)
    gaps = await measureGaps(files, findGaps(counts, sameText.inOrder, moved), looks)
  }
  const replaced = gaps.flatMap(({ gap, chosen }) => pairReplacedPages(gap, chosen))
  const pairs = [...sameText.inOrder, ...replaced].sort((one, other) => one[0] - other[0])
  return {
    pairs,
    moved,
    flows: [...gaps.map(({ flow }) => flow), ...listFlows(files, { pairs, moved, inGaps: replaced })],
  }
}

/** Pairs pages that are known to be equal, and pages with the same words. */
function pairSameText(
  { before, after }: Files,
  equal: { inOrder: PagePositions[]; moved: PagePositions[] },
): { inOrder: PagePositions[]; moved: PagePositions[] } {
  const ids = {
    before: before.pages.map(hashWords),
    after: after.pages.map(hashWords),
  }
  for (const [number, [one, other]] of equal.inOrder.entries()) {
    ids.before[one] = `equal ${number}`
    ids.after[other] = `equal ${number}`
  }
  for (const [one, other] of equal.moved) {
    ids.before[one] = undefined
    ids.after[other] = undefined
  }
  return pairEqualPages(ids.before, ids.after, {
    canMove: position => (before.pages[position]?.words.length ?? 0) >= RECOGNIZED_WORDS,
  })
}

/** A hash of the words of a page, without headers and footers. Undefined if it has none. */
function hashWords({ words, edgeWords }: ComparedPage): string | undefined {
  const body = words.filter(word => !edgeWords.has(word))
  if (body.length === 0) return undefined
  const text = body.map(({ key }) => key).join('\n')
  return createHash('sha256').update(text).digest('base64')
}

/** A gap with its running text and the pages that belong together. */
interface MeasuredGap {
  gap: PageGap
  flow: MatchedText
  chosen: PagePositions[]
}

async function measureGaps(files: Files, gaps: readonly PageGap[], looks: Looks): Promise<MeasuredGap[]> {
  const measured: MeasuredGap[] = []
  for (const gap of gaps) {
    const [own, other] = [pagesAt(files.before, gap.before), pagesAt(files.after, gap.after)]
    const flow = matchFlow(own, other)
    const candidates = [...compareTexts(files, gap, flow), ...(await looks.compare(gap))]
    measured.push({ gap, flow, chosen: choosePairs(candidates) })
  }
  return measured
}

function pagesAt({ pages }: ComparedFile, positions: readonly number[]): ComparedPage[] {
  return positions.flatMap(position => pages[position] ?? [])
}

/** The share of common text of the pages in a gap. */
function compareTexts(
  { before, after }: Files,
  gap: PageGap,
  { before: own, after: other, matches }: MatchedText,
): Candidate[] {
  const positions = {
    before: new Map(gap.before.map(position => [before.pages[position]?.index, position])),
    after: new Map(gap.after.map(position => [after.pages[position]?.index, position])),
  }
  const common = new Map<string, { before: number; after: number; count: number }>()
  for (let at = 0; at < matches.length;) {
    const match = matches[at] as number // inside the array
    let length = 1
    while (match >= 0 && matches[at + length] === match + length) length++
    for (let index = at; match >= 0 && index < at + length; index++) {
      const [one, two] = [own[index], other[match + index - at]]
      const isShort = Math.min(own.length, other.length) < 4 * COMMON_RUN
      if (!one || !two || (length < COMMON_RUN && !isShort)) continue
      const [first, second] = [positions.before.get(one.page), positions.after.get(two.page)]
      if (first === undefined || second === undefined) continue
      const entry = common.get(`${first} ${second}`) ?? { before: first, after: second, count: 0 }
      entry.count++
      common.set(`${first} ${second}`, entry)
    }
    at += length
  }
  return [...common.values()].flatMap(({ before: first, after: second, count }) => {
    const total = bodyLength(before.pages[first]) + bodyLength(after.pages[second])
    const similarity = (2 * count) / Math.max(1, total)
    return similarity >= LEAST_TEXT ? [{ before: first, after: second, similarity }] : []
  })
}

function bodyLength(page: ComparedPage | undefined): number {
  return page ? page.words.length - page.edgeWords.size : 0
}

/** Recognizes pages with little text by their appearance. Draws each page once. */
class Looks {
  private readonly drawn: { before: Map<number, PageLook>; after: Map<number, PageLook> } = {
    before: new Map(),
    after: new Map(),
  }
  private readonly tried = { before: new Set<number>(), after: new Set<number>() }

  constructor(private readonly files: Files) {}

  /** The share of common ink of pages with little text. */
  async compare(gap: PageGap, least = LEAST_INK): Promise<Candidate[]> {
    const own = gap.before.filter(position => this.isPlain('before', position)).slice(0, MAX_LOOKS)
    const other = gap.after.filter(position => this.isPlain('after', position)).slice(0, MAX_LOOKS)
    if (own.length === 0 || other.length === 0) return []
    await this.draw('before', own)
    await this.draw('after', other)
    const candidates: Candidate[] = []
    for (const before of own) {
      for (const after of other) {
        const [one, two] = [this.drawn.before.get(before), this.drawn.after.get(after)]
        const similarity = one && two ? compareLooks(one, two) : 0
        if (similarity >= least) candidates.push({ before, after, similarity })
      }
    }
    return candidates
  }

  private isPlain(side: keyof Files, position: number): boolean {
    return bodyLength(this.files[side].pages[position]) < FEW_WORDS
  }

  private async draw(side: keyof Files, positions: readonly number[]): Promise<void> {
    const open = positions.filter(position => !this.tried[side].has(position))
    for (const position of open) this.tried[side].add(position)
    const file = this.files[side]
    const looks = await reducePages(file, pagesAt(file, open))
    for (const position of open) {
      const look = looks.get(file.pages[position]?.index ?? -1)
      if (look) this.drawn[side].set(position, look)
    }
  }
}

/** Finds edited pages at another place, among the pages without a counterpart in their order. */
async function findEditedMoves(files: Files, gaps: readonly MeasuredGap[], looks: Looks): Promise<PagePositions[]> {
  const chosen = gaps.flatMap(gap => gap.chosen)
  const [takenBefore, takenAfter] = [new Set(chosen.map(([one]) => one)), new Set(chosen.map(([, other]) => other))]
  const open = {
    before: gaps.flatMap(({ gap }) => gap.before).filter(position => !takenBefore.has(position)),
    after: gaps.flatMap(({ gap }) => gap.after).filter(position => !takenAfter.has(position)),
  }
  if (open.before.length === 0 || open.after.length === 0) return []
  // Pages at the same place between two pairs were replaced. They aren't moved pages.
  const candidates = [
    ...compareRuns(files, open),
    ...(await looks.compare(open, LEAST_MOVED_INK)).filter(
      ({ before }) => files.before.pages[before]?.isEmpty === false,
    ),
  ].filter(findOutOfOrder(gaps))
  const moves: PagePositions[] = []
  const [usedBefore, usedAfter] = [new Set<number>(), new Set<number>()]
  for (const { before, after } of candidates.sort((one, other) => other.similarity - one.similarity)) {
    if (usedBefore.has(before) || usedAfter.has(after)) continue
    usedBefore.add(before)
    usedAfter.add(after)
    moves.push([before, after])
  }
  return moves
}

/** Returns a function that returns whether two pages can't be paired without crossing a pair of their gap. */
function findOutOfOrder(gaps: readonly MeasuredGap[]): (pages: Candidate) => boolean {
  const own = new Map(gaps.flatMap(measured => measured.gap.before.map(position => [position, measured] as const)))
  const other = new Map(gaps.flatMap(measured => measured.gap.after.map(position => [position, measured] as const)))
  return ({ before, after }) => {
    const measured = own.get(before)
    if (!measured || measured !== other.get(after)) return true
    return measured.chosen.some(([one, two]) => one < before !== two < after)
  }
}

/** The share of common runs of words between pages at any positions. */
function compareRuns({ before, after }: Files, open: PageGap): Candidate[] {
  const holders = new Map<string, Set<number>>()
  const sizes = new Map<number, number>()
  for (const position of open.before) {
    const runs = listRuns(before.pages[position])
    sizes.set(position, runs.size)
    for (const run of runs) holders.set(run, (holders.get(run) ?? new Set<number>()).add(position))
  }
  return open.after.flatMap(position => {
    const runs = listRuns(after.pages[position])
    const counts = new Map<number, number>()
    for (const run of runs) {
      const pages = holders.get(run)
      if (!pages || pages.size > MAX_HOLDERS) continue
      for (const holder of pages) counts.set(holder, (counts.get(holder) ?? 0) + 1)
    }
    return [...counts].flatMap(([holder, count]) => {
      const similarity = (2 * count) / (runs.size + (sizes.get(holder) ?? 0))
      return similarity >= LEAST_MOVED_TEXT && count >= RECOGNIZED_WORDS
        ? [{ before: holder, after: position, similarity }]
        : []
    })
  })
}

function listRuns(page: ComparedPage | undefined): Set<string> {
  const words = page?.words.filter(word => !page.edgeWords.has(word)) ?? []
  const runs = new Set<string>()
  for (let at = 0; at + COMMON_RUN <= words.length; at++) {
    runs.add(
      words
        .slice(at, at + COMMON_RUN)
        .map(({ key }) => key)
        .join('\n'),
    )
  }
  return runs
}

/** The running texts of pairs that aren't in a gap, and the headers and footers of all pages. */
function listFlows(
  { before, after }: Files,
  { pairs, moved, inGaps }: { pairs: PagePositions[]; moved: PagePositions[]; inGaps: PagePositions[] },
): MatchedText[] {
  const flowing = new Set(inGaps.map(([position]) => position))
  const flows: MatchedText[] = []
  const [lonelyBefore, lonelyAfter] = [new Set(before.pages), new Set(after.pages)]
  for (const [position, match] of [...pairs, ...moved]) {
    const [one, other] = [before.pages[position], after.pages[match]]
    if (!one || !other) continue
    lonelyBefore.delete(one)
    lonelyAfter.delete(other)
    if (!flowing.has(position)) flows.push(matchFlow([one], [other]))
    if (one.edgeWords.size || other.edgeWords.size) flows.push(matchEdges(one, other))
  }
  for (const page of lonelyBefore) if (page.edgeWords.size) flows.push(matchEdges(page, undefined))
  for (const page of lonelyAfter) if (page.edgeWords.size) flows.push(matchEdges(undefined, page))
  return flows
}
