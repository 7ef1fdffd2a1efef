import { PDFHexString, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PageLabel } from './page-labels'
import { writeNumeral } from '../../options/numerals'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

const ROMAN = new Map([
  [Name.r, 'roman'],
  [Name.R, 'ROMAN'],
] as const)
const LETTERS = ['a', 'A'].map(name => PDFName.of(name))

/** Maximum number of characters that are copied from a prefix. */
const MOST_COPIED = 200

/**
 * Creates labels for the pages that are `undefined` in the list. All other pages keep their labels. An empty label
 * would show as a page without a number, and a duplicate label would lead to the wrong page. So the new pages continue
 * the numbering of the page before if the numbers are free: `i, ii, [iii], 1, 2`. At the start, they count back from
 * the page after. If the numbers aren't free, pages get the previous label and a letter, like inserted pages in a book:
 * `1, 2, [2a], [2b], 3`, and `0` before page 1. Between pages with a prefix and no number, new pages get the same
 * prefix.
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

/** Labels for consecutive new pages between two labeled pages, one of which may be missing. */
function labelRun(
  count: number,
  before: PageLabel | undefined,
  after: PageLabel | undefined,
  numbers: TakenNumbers,
): PageLabel[] {
  const neighbor = before ?? after
  const run = Array.from({ length: count }, (_, index) => index)
  if (!neighbor) return run.map(index => ({ style: Name.D, prefix: undefined, number: index + 1 }))
  if (!neighbor.style) return run.map(() => neighbor)
  const first = before ? before.number + 1 : neighbor.number - count
  const counted = run.map(index => ({ ...neighbor, number: first + index }))
  if (first >= 1 && !counted.some(label => numbers.has(label))) {
    for (const label of counted) numbers.take(label)
    return counted
  }
  const prefix = (readText(neighbor.prefix) ?? '').slice(0, MOST_COPIED)
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

/** Page numbers in use, by style and prefix. */
class TakenNumbers {
  private readonly numbers = new Map<PDFObject | undefined, Map<string, Set<number>>>()
  /** Decoded prefixes. Each is decoded once, because thousands of pages may share a long one. */
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
    const byPrefix = findOrAdd(this.numbers, style, () => new Map())
    return findOrAdd(byPrefix, text, () => new Set())
  }
}

/** The label as readers show it. */
export function writeLabel(label: PageLabel): string {
  return `${readText(label.prefix) ?? ''}${label.style === undefined ? '' : numeralOf(label)}`
}

/** The number as readers write it. After z, letters repeat (ISO 32000-2, table 161): aa, bb. */
function numeralOf({ style, number }: PageLabel): string {
  const roman = style instanceof PDFName ? ROMAN.get(style) : undefined
  if (roman) return writeNumeral(number, roman)
  if (!(style instanceof PDFName) || !LETTERS.includes(style) || number < 1) return String(number)
  const letter = writeNumeral(((number - 1) % 26) + 1, 'alpha').repeat(Math.min(Math.ceil(number / 26), 100))
  return style === LETTERS[0] ? letter : letter.toUpperCase()
}
