import { PDFHexString, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PageLabel } from './page-labels'
import { writeNumeral } from '../../options/numerals'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

const ROMAN = new Map([
  [Name.r, 'roman'],
  [Name.R, 'ROMAN'],
] as const)
const LETTERS = ['a', 'A'].map(name => PDFName.of(name))

/** Characters of a prefix that are written again for single pages. */
const MOST_COPIED = 200

/**
 * Labels for pages that were put between labeled ones, `undefined` in the list; all others keep theirs. A label that is
 * empty would show as a page without a number, and one that another page has would find the wrong page. So pages count
 * on from the page before them (or back from the page behind them, at the start) if those numbers are free:
 * `i, ii, [iii], 1, 2`. Otherwise they have the label before them with a letter, as pages that are put into a book:
 * `1, 2, [2a], [2b], 3`, and `0` in front of page 1. Between pages that have a prefix and no number, they share it.
 */
export function labelBetween(labels: readonly (PageLabel | undefined)[]): PageLabel[] {
  const numbers = new TakenNumbers()
  for (const label of labels) if (label) numbers.take(label)
  const filled: PageLabel[] = []
  for (let at = 0; at < labels.length;) {
    const label = labels[at]
    if (label) filled.push(label)
    let end = at + 1
    if (!label) {
      while (end < labels.length && !labels[end]) end++
      filled.push(...labelRun(end - at, filled[at - 1], labels[end], numbers))
    }
    at = end
  }
  return filled
}

/** Labels for neighboring pages between two labeled ones, of which one may be missing. */
function labelRun(
  count: number,
  before: PageLabel | undefined,
  behind: PageLabel | undefined,
  numbers: TakenNumbers,
): PageLabel[] {
  const beside = before ?? behind
  const run = Array.from({ length: count }, (_, index) => index)
  if (!beside) return run.map(index => ({ style: Name.D, prefix: undefined, number: index + 1 }))
  if (!beside.style) return run.map(() => beside)
  const first = before ? before.number + 1 : beside.number - count
  const counted = run.map(index => ({ ...beside, number: first + index }))
  if (first >= 1 && !counted.some(label => numbers.has(label))) {
    for (const label of counted) numbers.take(label)
    return counted
  }
  const prefix = (readText(beside.prefix) ?? '').slice(0, MOST_COPIED)
  const text = before ? prefix + numeralOf(before) : `${prefix}0`
  const hyphen = before && before.style !== Name.D ? '-' : ''
  return run.map(index => {
    const letters = before ? index + 1 : index
    return plainLabel(letters === 0 ? text : `${text}${hyphen}${writeNumeral(letters, 'alpha')}`)
  })
}

function plainLabel(text: string): PageLabel {
  return { style: undefined, prefix: PDFHexString.fromText(text), number: 1 }
}

/** Numbers that pages have, by what is written before them and how. */
class TakenNumbers {
  private readonly taken = new Map<PDFObject | undefined, Map<string, Set<number>>>()
  /** The texts of prefixes, each read once: thousands of pages may share a long one. */
  private readonly texts = new Map<PDFObject | undefined, string>()

  has(label: PageLabel): boolean {
    return this.numbersOf(label).has(label.number)
  }

  take(label: PageLabel): void {
    this.numbersOf(label).add(label.number)
  }

  private numbersOf({ style, prefix }: PageLabel): Set<number> {
    const text = this.texts.get(prefix) ?? readText(prefix) ?? ''
    this.texts.set(prefix, text)
    const byPrefix = this.taken.get(style) ?? new Map<string, Set<number>>()
    this.taken.set(style, byPrefix)
    const numbers = byPrefix.get(text) ?? new Set<number>()
    byPrefix.set(text, numbers)
    return numbers
  }
}

/** The number as readers write it: letters are doubled behind z (ISO 32000-2, table 161), aa, bb. */
function numeralOf({ style, number }: PageLabel): string {
  const roman = style instanceof PDFName ? ROMAN.get(style) : undefined
  if (roman) return writeNumeral(number, roman)
  if (!(style instanceof PDFName) || !LETTERS.includes(style) || number < 1) return String(number)
  const letter = writeNumeral(((number - 1) % 26) + 1, 'alpha').repeat(Math.min(Math.ceil(number / 26), 100))
  return style === LETTERS[0] ? letter : letter.toUpperCase()
}
