import type { BodyText } from './paragraphs'
import type { Block, TextLine } from './lines/model'

/** Text is larger than the body from this factor on. */
const LARGER = 1.12

/** A heading has at most this many lines, and characters. */
const MOST_LINES = 4
const MOST_CHARACTERS = 220

/** Bold text of the size of the body is a heading if it is this short. */
const MOST_BOLD_CHARACTERS = 120

/** If more than this share of the text is bold, bold text is no heading. */
const MOST_BOLD = 0.4

/** Counts how much text of each size there is. */
export class TextSizes {
  private readonly counts = new Map<number, number>()
  private readonly leadings: number[] = []
  private total = 0
  private bold = 0
  private monospaced = 0

  /** Adds lines of a page, from top to bottom. */
  add(lines: readonly TextLine[]): void {
    for (const [at, line] of lines.entries()) {
      const length = line.words.reduce((sum, { text }) => sum + text.length, 0)
      const size = Math.round(line.size * 4) / 4
      this.counts.set(size, (this.counts.get(size) ?? 0) + length)
      this.total += length
      if (line.isBold) this.bold += length
      if (line.words.every(word => word.isMonospaced)) this.monospaced += length
      const below = lines
        .slice(at + 1, at + 6)
        .find(other => Math.abs(other.left - line.left) < 1 && other.baseline > line.baseline)
      const distance = below ? (below.baseline - line.baseline) / line.size : 0
      if (
        below &&
        Math.abs(below.size - line.size) < 0.3 &&
        distance > 0.9 &&
        distance < 2.6 &&
        this.leadings.length < 100_000
      )
        this.leadings.push(Math.round(distance * 50) / 50)
    }
  }

  /** The size of most of the text, and the usual distance of its lines. */
  get body(): BodyText {
    const [size] = [...this.counts].reduce((best, next) => (next[1] > best[1] ? next : best), [10, 0])
    const sorted = this.leadings.toSorted((one, other) => one - other)
    return { size, leading: Math.min(2.4, sorted[Math.floor(sorted.length * 0.3)] ?? 1.25) }
  }

  /** Whether most of the text has a font of equal widths. */
  get isTypewritten(): boolean {
    return this.monospaced * 2 > this.total
  }

  /** Whether bold text stands out. */
  get isBoldRare(): boolean {
    return this.bold <= MOST_BOLD * this.total
  }
}

/** A block that may be a heading, with what its level depends on. */
interface Candidate {
  size: number
  isBold: boolean
}

/** Turns paragraphs into headings by their size and weight. All blocks are those of the same document. */
export function markHeadings(blocks: Block[], sizes: TextSizes): void {
  const body = sizes.body.size
  const found: { block: Block; candidate: Candidate }[] = []
  for (const [at, block] of blocks.entries()) {
    const candidate = toCandidate(block, blocks[at + 1], body, sizes.isBoldRare)
    if (candidate) found.push({ block, candidate })
  }
  const keys = [...new Set(found.map(({ candidate }) => keyOf(candidate)))].sort((one, other) => other - one)
  for (const { block, candidate } of found) {
    block.role = 'heading'
    block.level = Math.min(6, keys.indexOf(keyOf(candidate)) + 1)
    delete block.marker
  }
}

/** Sizes count in half points. Of the same size, bold text is above other text. */
function keyOf({ size, isBold }: Candidate): number {
  return Math.round(size * 2) + (isBold ? 0.5 : 0)
}

function toCandidate(
  { role, lines }: Block,
  next: Block | undefined,
  body: number,
  isBoldRare: boolean,
): Candidate | undefined {
  if (role !== 'paragraph') return undefined
  const [first] = lines
  if (!first || lines.length > MOST_LINES) return undefined
  const text = lines.map(line => line.words.map(word => word.text).join(' ')).join(' ')
  if (text.length > MOST_CHARACTERS || !/\p{L}/u.test(text)) return undefined
  const size = Math.max(...lines.map(line => line.size))
  const isBold = lines.every(line => line.words.every(word => word.isBold))
  if (size >= LARGER * body && (lines.length <= 2 || size >= 1.3 * body)) return { size, isBold }
  const isShort = text.length <= MOST_BOLD_CHARACTERS && lines.length <= 2 && !/[.,;:]$/.test(text)
  const hasText = next !== undefined && next.role !== 'header' && next.role !== 'footer'
  return isBold && isBoldRare && isShort && hasText && size >= 0.9 * body
    ? { size: Math.min(size, body), isBold }
    : undefined
}
