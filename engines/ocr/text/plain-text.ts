import { layOut } from './text-grid'
import type { PageText } from './page-text'

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\u0e00-\u0e7f\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/**
 * The text of a page: paragraphs in reading order with an empty line between them, or with the columns and gaps of the
 * page.
 */
export function writePageText(page: PageText, { preserveLayout }: { preserveLayout: boolean }): string {
  if (preserveLayout) return layOut(page)
  const paragraphs = page.blocks.flatMap(block => block.paragraphs)
  return paragraphs
    .map(({ lines }) => lines.map(({ words }) => joinWords(words.map(({ text }) => text))).join('\n'))
    .join('\n\n')
}

/** The texts of pages as one, with a form feed between them and a line feed at the end of each that has text. */
export function joinPageTexts(texts: string[]): string {
  return texts.map(text => (text === '' ? '' : `${text}\n`)).join('\f')
}

/** Words as one text, with spaces where their scripts have them. */
function joinWords(words: string[]): string {
  return words.reduce((text, word) => (text === '' ? word : `${text}${isSpaced(text, word) ? ' ' : ''}${word}`), '')
}

/** Whether a space stands between two words. */
export function isSpaced(before: string, after: string): boolean {
  const [last, first] = [Array.from(before).at(-1) ?? '', Array.from(after)[0] ?? '']
  return !(UNSPACED.test(last) && UNSPACED.test(first))
}
