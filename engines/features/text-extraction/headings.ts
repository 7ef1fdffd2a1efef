import type { BodyText } from './paragraphs'
import type { Block, TextLine } from './lines/model'
import { addTo } from '../../map-entries'

/** Text stands out from the body from this factor on. */
export const LARGER = 1.12

/** A heading has at most this many lines, and characters. */
const MOST_LINES = 4
const MOST_CHARACTERS = 220

/** Text of about the size of the body is a heading if it is this short. */
const MOST_SHORT_CHARACTERS = 120

/** Text that is larger than the body by this factor stands out a little, if this share of the text is as large. */
const SLIGHTLY_LARGER = 1.03
const MOST_OF_SIZE = 0.1

/** If more than this share of the text is bold, bold text is no heading. */
const MOST_BOLD = 0.4

/** This many bold lines without text between them are a list, such as a table of contents. */
const LISTED = 3

/** Text that begins this many ems after a bold line explains it. */
const EXPLAINS = 1.8

/** The text before and after a bold line is at most this many headings away. */
const MOST_PASSED = 8

/** A bold heading is at least this large, relative to the body. */
const LEAST_BOLD_SIZE = 0.9

/** Headings with more than two lines are larger than the body by this factor. */
const MUCH_LARGER = 1.3

/** Distances between the baselines of a paragraph, in ems, and how many of them are collected. */
const LEADINGS = { least: 0.9, most: 2.6 }
const MOST_LEADINGS = 100_000

/** The next line of a paragraph is among this many lines below. Its size differs by less than this, in points. */
const NEXT_LINES = 5
const SAME_SIZE = 0.3

/** Share of the distances below the usual one. It is less than half, because gaps of paragraphs are among them. */
const USUAL_LEADING = 0.3
const MOST_LEADING = 2.4
/** The leading of text that shows none, in ems. */
const DEFAULT_LEADING = 1.25

/** The number of a section, such as `2.1.3`. */
const SECTION = /^(\d{1,3}(?:\.\d{1,3})*)\.?$/

/** The start of a caption, such as `Table 3.` or `Fig. 2-1:`. */
const CAPTION = /^\p{L}{1,15}[.\s]{0,2}\d{1,3}([.–-]\d{1,3})*([.:)\s]|$)/u

/** Counts how much text of each size there is. */
export class TextSizes {
  private readonly counts = new Map<number, number>()
  private readonly leadings: number[] = []
  private total = 0
  private bold = 0
  private monospaced = 0
  private usual: BodyText | undefined

  /** Adds lines of a page, from top to bottom. */
  add(lines: readonly TextLine[]): void {
    this.usual = undefined
    for (const [at, line] of lines.entries()) {
      const length = line.words.reduce((sum, { text }) => sum + text.length, 0)
      const size = roundSize(line.size)
      this.counts.set(size, (this.counts.get(size) ?? 0) + length)
      this.total += length
      if (line.isBold) this.bold += length
      if (line.words.every(word => word.isMonospaced)) this.monospaced += length
      const below = lines
        .slice(at + 1, at + 1 + NEXT_LINES)
        .find(other => Math.abs(other.left - line.left) < 1 && other.baseline > line.baseline)
      const distance = below ? (below.baseline - line.baseline) / line.size : 0
      const isNext = distance > LEADINGS.least && distance < LEADINGS.most
      if (below && isNext && Math.abs(below.size - line.size) < SAME_SIZE && this.leadings.length < MOST_LEADINGS)
        this.leadings.push(Math.round(distance * 50) / 50) // to a fiftieth of an em
    }
  }

  /** The size of most of the text, and the usual distance of its lines. */
  get body(): BodyText {
    return (this.usual ??= this.findBody())
  }

  private findBody(): BodyText {
    const [size] = [...this.counts].reduce((best, next) => (next[1] > best[1] ? next : best), [10, 0])
    const sorted = this.leadings.toSorted((one, other) => one - other)
    return {
      size,
      leading: Math.min(MOST_LEADING, sorted[Math.floor(sorted.length * USUAL_LEADING)] ?? DEFAULT_LEADING),
    }
  }

  /** Whether most of the text has a font of equal widths. */
  get isTypewritten(): boolean {
    return this.monospaced * 2 > this.total
  }

  /** Whether little text has this size. */
  isRare(size: number): boolean {
    return (this.counts.get(roundSize(size)) ?? 0) <= MOST_OF_SIZE * this.total
  }

  /** Whether bold text stands out. */
  get isBoldRare(): boolean {
    return this.bold <= MOST_BOLD * this.total
  }
}

/** Rounds a size to a quarter of a point, so that almost equal sizes count together. */
function roundSize(size: number): number {
  return Math.round(size * 4) / 4
}

/** A block that may be a heading, with what its level depends on. */
interface Candidate {
  block: Block
  size: number
  isBold: boolean
  /** Whether only its weight tells it from the body. */
  isLikeBody: boolean
  /** Number of parts of its section number. 0 if there is none. */
  depth: number
}

/** Turns paragraphs into headings by their size and weight. All blocks are those of the same document, in reading order. */
export function markHeadings(blocks: readonly Block[], sizes: TextSizes): void {
  markCaptions(blocks)
  const candidates = blocks.map((block, at) => toCandidate(block, blocks[at + 1], sizes))
  const hasLarger = candidates.filter(candidate => candidate && !candidate.isLikeBody).length >= 2
  const found = candidates.filter(
    (candidate, at): candidate is Candidate =>
      candidate !== undefined &&
      !(candidate.isLikeBody && (isListed(candidates, at) || isTerm(blocks, candidates, at, hasLarger))),
  )
  const byKey = new Map<number, Candidate[]>()
  for (const candidate of found) addTo(byKey, keyOf(candidate), candidate)
  let level = 0
  for (const [, same] of [...byKey].sort(([one], [other]) => other - one)) {
    // Section numbers tell levels with the same look apart.
    const depths = [...new Set(same.flatMap(({ depth }) => (depth > 0 ? [depth] : [])))].sort(
      (one, other) => one - other,
    )
    for (const { block, depth } of same) {
      block.role = 'heading'
      block.level = Math.min(6, level + Math.max(0, depths.indexOf(depth)) + 1)
    }
    level += Math.max(1, depths.length)
  }
}

/** Turns paragraphs with the number of a table next to them into captions. */
function markCaptions(blocks: readonly Block[]): void {
  for (const [at, block] of blocks.entries()) {
    if (block.role !== 'paragraph' || block.lines.length > MOST_LINES) continue
    if (blocks[at + 1]?.role !== 'table' && blocks[at - 1]?.role !== 'table') continue
    if (CAPTION.test(textOf(block))) block.role = 'caption'
  }
}

/** Sizes count in half points. Of the same size, bold text is above other text. */
function keyOf({ size, isBold }: Candidate): number {
  return Math.round(size * 2) + (isBold ? 0.5 : 0)
}

function textOf({ lines }: Block): string {
  return lines.map(line => line.words.map(word => word.text).join(' ')).join(' ')
}

function toCandidate(block: Block, next: Block | undefined, sizes: TextSizes): Candidate | undefined {
  const { role, lines } = block
  if (role !== 'paragraph' || lines.length === 0 || lines.length > MOST_LINES) return undefined
  const text = textOf(block)
  if (text.length > MOST_CHARACTERS || !/\p{L}/u.test(text)) return undefined
  const { size: body } = sizes.body
  const size = Math.max(...lines.map(line => line.size))
  const isBold = lines.every(line => line.words.every(word => word.isBold))
  const section = SECTION.exec(lines[0]?.words[0]?.text ?? '')?.[1]
  const candidate = { block, size, isBold, isLikeBody: false, depth: section ? section.split('.').length : 0 }
  if (size >= LARGER * body && (lines.length <= 2 || size >= MUCH_LARGER * body)) return candidate
  const hasText = next !== undefined && next.role !== 'header' && next.role !== 'footer'
  if (!hasText || lines.length > 2 || text.length > MOST_SHORT_CHARACTERS) return undefined
  const isLarger = size > SLIGHTLY_LARGER * body && sizes.isRare(size)
  if (isLarger && (isBold || (lines.length === 1 && !/[.,;:]$/.test(text)))) return candidate
  if (!isBold || !sizes.isBoldRare || size < LEAST_BOLD_SIZE * body || /[.,;:]$/.test(text)) return undefined
  return { ...candidate, size: Math.min(size, body), isLikeBody: true }
}

/** Returns whether a bold line is one of several without text between them. */
function isListed(candidates: readonly (Candidate | undefined)[], at: number): boolean {
  let [start, end] = [at, at + 1]
  while (end - start < LISTED && candidates[start - 1]?.isLikeBody) start--
  while (end - start < LISTED && candidates[end]?.isLikeBody) end++
  return end - start >= LISTED
}

/**
 * Returns whether bold lines are a term with an indented text below, or the first lines of an indented note. If there are
 * no larger headings, such a line is a term only if it doesn't begin as a sentence.
 */
function isTerm(
  blocks: readonly Block[],
  candidates: readonly (Candidate | undefined)[],
  at: number,
  hasLarger: boolean,
): boolean {
  const own = blocks[at] as Block // candidates have blocks
  let [before, below] = [at - 1, at + 1]
  while (candidates[before] && at - before < MOST_PASSED) before--
  while (candidates[below]?.isLikeBody && below - at < MOST_PASSED) below++
  const [last, next] = [blocks[before], blocks[below]]
  if (next?.role !== 'paragraph' || next.area.top < own.area.top) return false
  const least = EXPLAINS * (own.lines[0]?.size ?? 10)
  const indent = indentOf(next, own)
  if (indent > least) return hasLarger || !/^[\p{Lu}\p{Lo}\d]/u.test(textOf(own))
  return (
    hasLarger &&
    Math.abs(indent) < 1 &&
    last !== undefined &&
    last.area.bottom < own.area.bottom &&
    last.area.right > own.area.left &&
    indentOf(own, last) > least
  )
}

/** How far a block begins after the start of another one, in the direction of its text. */
function indentOf({ area, lines }: Block, other: Block): number {
  return lines[0]?.isRightToLeft ? other.area.right - area.right : area.left - other.area.left
}
