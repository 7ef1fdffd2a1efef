import { hasSameAngle, turnToLine } from '../../../pdf/read-page'
import type { Glyph } from '../../../pdf/read-page'

/** Glyphs of one line have baselines within this share of an em. A jump of this many ems begins another run. */
const SAME_LINE = 0.3
const JUMP = 3

/** A gap from `LEAST_EDGE` may be a word gap if it is larger than the letter gaps beside it by `LARGER`. In ems. */
const LEAST_EDGE = 0.1
const LARGER = 0.08

/**
 * Spaces of fonts are at least as wide as `NARROW_SPACE`, in ems. A line with narrower word gaps has several of them,
 * and they differ by at most `UNEVEN`. Up to `WIDE_KERNING`, a gap may still be kerning if the line has larger ones.
 */
const NARROW_SPACE = 0.24
const WIDE_KERNING = 0.35
const LEAST_SAME = 3
const UNEVEN = 0.25
/** A gap below this share of the word gaps of its line may be kerning. Larger word gaps than `MOST_WORD_GAP` don't count. */
const KERNING_SHARE = 0.7
const MOST_WORD_GAP = 0.6

/** Minimum number of spaced single letters that may be a word, and the number of other spaced single characters. */
const LEAST_LETTERS = 3
const LEAST_SIGNS = 4

/** Minimum number of equal steps, and their largest difference, as a share of a step. Gaps are equal up to it in ems. */
const LEAST_STEPS = 3
const SAME_STEP = 0.06
/** The usual gap of letters that are placed at equal steps, in ems. */
const LEAST_APART = 0.05
/** A distance of this many usual ones is a word gap. */
const WORD_STEP = 1.5

const LETTER = /\p{L}/u
const NUMBER = /\p{N}/u

/** How a gap between two glyphs may be read besides `Glyph.isSpaced`. */
export type GapReading =
  /** The glyphs are in one word. */
  | 'joined'
  /** The gap may separate words. */
  | 'doubtful'

/** A gap in a run of glyphs on one line. */
interface LineGap {
  /** The glyph behind the gap. */
  next: Glyph
  /** In ems, without the spacing between characters. */
  size: number
  /** The distance between the origins of the glyphs, and between their centers, in ems. */
  step: number
  centers: number
  /** Whether the same operation shows a blank in the gap. */
  isBlank: boolean
  isInWord: boolean
  areLetters: boolean
}

/**
 * Finds gaps that may be read in another way than `Glyph.isSpaced` says, from the other gaps of the line. Letters of one
 * word may be placed one by one, or have wide kerning. Words may be close to each other. The key is the glyph after the
 * gap. `glyphs` are in the order of the content.
 */
export function findDoubtfulGaps(glyphs: readonly Glyph[]): ReadonlyMap<Glyph, GapReading> {
  const readings = new Map<Glyph, GapReading>()
  let run: LineGap[] = []
  const close = (): void => {
    if (run.length > 0) readRun(run, readings)
    run = []
  }
  for (let at = 1; at < glyphs.length; at++) {
    const gap = measureGap(glyphs[at - 1] as Glyph, glyphs[at] as Glyph)
    if (gap) run.push(gap)
    else close()
  }
  close()
  return readings
}

function measureGap(before: Glyph, next: Glyph): LineGap | undefined {
  if (!hasSameAngle(before, next)) return undefined
  const em = Math.max(before.size, next.size)
  const [along, across] = turnToLine(before, next.x - before.endX, next.y - before.endY)
  if (!(Math.abs(across) < SAME_LINE * em && Math.abs(along) < JUMP * em)) return undefined
  const [step] = turnToLine(before, next.x - before.x, next.y - before.y)
  const [ends] = turnToLine(before, next.endX - before.endX, next.endY - before.endY)
  return {
    next,
    size: along / em - before.shown.spacing,
    step: step / em,
    centers: (step + ends) / 2 / em,
    isBlank: before.shown === next.shown && next.index - before.index > 1,
    isInWord: isInWord(before.text) && isInWord(next.text),
    areLetters: isLetter(before.text) && isLetter(next.text),
  }
}

function isLetter(text: string): boolean {
  const code = text.length === 1 ? text.charCodeAt(0) | 0x20 : 0
  return (code >= 0x61 && code <= 0x7a) || LETTER.test(text)
}

function isInWord(text: string): boolean {
  return isLetter(text) || NUMBER.test(text)
}

function readRun(run: readonly LineGap[], readings: Map<Glyph, GapReading>): void {
  const wordGaps = readEqualSteps(run, readings)
  const isOpen = (gap: LineGap): boolean => !wordGaps.has(gap) && mayBeLetters(gap)
  for (let at = 0; at < run.length; at++) {
    const start = at
    while (at < run.length && isOpen(run[at] as LineGap)) at++
    const open = run.slice(start, at)
    const least = open.every(({ areLetters }) => areLetters) ? LEAST_LETTERS : LEAST_SIGNS
    // The characters at the ends may belong to longer words.
    const ends = [run[start - 1], run[at]].filter(beside => !beside || beside.next.isSpaced).length
    if (open.length - 1 + ends >= least) readSingles(open, readings)
    const gap = run[at]
    if (gap && !readings.has(gap.next) && !gap.next.isSpaced && mayBeEdge(gap, run[at - 1], run[at + 1]))
      readings.set(gap.next, 'doubtful')
  }
  readTracked(
    run.filter(gap => !wordGaps.has(gap)),
    readings,
  )
  readKerning(
    run.filter(gap => !wordGaps.has(gap)),
    readings,
  )
}

/** Returns whether a gap separates single letters of one word, if there are more such gaps beside it. */
function mayBeLetters({ next, isBlank, isInWord }: LineGap): boolean {
  return next.isSpaced && !isBlank && isInWord
}

/**
 * Reads stretches of characters at equal steps, whatever their widths are. A step of several usual ones is a word gap.
 * Returns these.
 */
function readEqualSteps(run: readonly LineGap[], readings: Map<Glyph, GapReading>): ReadonlySet<LineGap> {
  const wordGaps = new Set<LineGap>()
  for (let start = 0; start + 1 < run.length;) {
    const usual = Math.min((run[start] as LineGap).step, (run[start + 1] as LineGap).step)
    let end = start
    while (end < run.length && isStep(run[end] as LineGap, usual)) end++
    const stretch = run.slice(start, end)
    const isOne = ({ step }: LineGap): boolean => Math.round(step / usual) === 1
    const ones = stretch.filter(isOne)
    // Letters of usual text touch each other, and a narrow one may be as wide as another with a blank.
    const areApart = median(ones.map(({ size }) => size)) >= LEAST_APART
    if (ones.length >= LEAST_STEPS && areApart && ones.some(({ next }) => next.isSpaced)) {
      for (const gap of stretch) {
        if (isOne(gap)) readings.set(gap.next, 'joined')
        else if (gap.next.isSpaced) wordGaps.add(gap)
        else readings.set(gap.next, 'doubtful')
      }
    }
    start = Math.max(end, start + 1)
  }
  return wordGaps
}

function isStep({ step, isBlank, isInWord }: LineGap, usual: number): boolean {
  const count = Math.round(step / usual)
  return isInWord && !isBlank && usual > 0 && count >= 1 && Math.abs(step - count * usual) <= SAME_STEP * usual
}

/** Reads the gaps between spaced single letters. Gaps that are clearly larger than the usual one stay. */
function readSingles(gaps: readonly LineGap[], readings: Map<Glyph, GapReading>): void {
  const [usual, usualSize] = [median(gaps.map(({ centers }) => centers)), median(gaps.map(({ size }) => size))]
  const isUsual = ({ size }: LineGap): boolean => Math.abs(size - usualSize) <= SAME_STEP
  const hasUsual = gaps.filter(isUsual).length >= LEAST_STEPS
  for (const gap of gaps)
    if (gap.centers < WORD_STEP * usual && !readings.has(gap.next))
      readings.set(gap.next, hasUsual && isUsual(gap) ? 'joined' : 'doubtful')
}

/** Reads word gaps in spaced text whose letters are as far from each other as others of the run, from center to center. */
function readTracked(run: readonly LineGap[], readings: Map<Glyph, GapReading>): void {
  const beside = run.filter(({ next, isBlank, isInWord: isPart }) => isPart && !isBlank && !next.isSpaced)
  if (beside.length < LEAST_STEPS || median(beside.map(({ size }) => size)) < LEAST_EDGE) return
  const usual = median(beside.map(({ centers }) => centers))
  for (const gap of run)
    if (mayBeLetters(gap) && gap.centers < WORD_STEP * usual && !readings.has(gap.next))
      readings.set(gap.next, 'doubtful')
}

/** Returns whether a gap that counts as a letter gap is larger than the letter gaps beside it. */
function mayBeEdge({ size, isInWord }: LineGap, before: LineGap | undefined, behind: LineGap | undefined): boolean {
  if (!isInWord || size < LEAST_EDGE) return false
  const beside = [before, behind].flatMap(gap => (gap && !gap.next.isSpaced ? [gap.size] : []))
  return beside.length > 0 && size >= Math.max(0, ...beside) + LARGER
}

/** Reads gaps that are narrow for a word gap of their line, and may be kerning. */
function readKerning(run: readonly LineGap[], readings: Map<Glyph, GapReading>): void {
  const gaps = run.filter(({ next, areLetters }) => next.isSpaced && areLetters && !readings.has(next))
  const hasBlank = gaps.some(({ isBlank }) => isBlank)
  const widest = gaps.reduce((most, { size }) => (size <= MOST_WORD_GAP ? Math.max(most, size) : most), 0)
  const sizes = gaps.flatMap(({ isBlank, size }) => (isBlank ? [] : [size])).sort((one, other) => one - other)
  for (const { next, size, isBlank } of gaps) {
    if (isBlank || size >= WIDE_KERNING) continue
    const isNarrow = size < KERNING_SHARE * widest || (hasBlank && next.index > 0)
    if (isNarrow || (size < NARROW_SPACE && countAround(sizes, size) <= LEAST_SAME)) readings.set(next, 'doubtful')
  }
}

/** The number of sorted sizes that differ from a size by at most `UNEVEN`, with itself. Counts up to a few. */
function countAround(sorted: readonly number[], size: number): number {
  let count = 0
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as number) < (1 - UNEVEN) * size) from = middle + 1
    else to = middle
  }
  while (count <= LEAST_SAME && (sorted[from + count] ?? Infinity) <= (1 + UNEVEN) * size) count++
  return count
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? 0
}
