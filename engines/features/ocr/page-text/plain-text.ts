import { layOut } from './text-grid'
import type { PageText } from './page-text'

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\u0e00-\u0e7f\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/**
 * Returns the text of a page: paragraphs in reading order with an empty line between them. With `preserveLayout`, keeps
 * the layout of the page with its columns and gaps.
 */
export function writePageText(page: PageText, { preserveLayout }: { preserveLayout: boolean }): string {
  if (preserveLayout) return layOut(page)
  const paragraphs = page.blocks.flatMap(block => block.paragraphs)
  return paragraphs
    .map(({ lines }) => lines.map(({ words }) => joinWords(words.map(({ text }) => text))).join('\n'))
    .join('\n\n')
}

/** Joins the texts of pages with form feeds. Each page with text ends with a line feed. */
export function joinPageTexts(texts: string[]): string {
  return texts.map(text => (text === '' ? '' : `${text}\n`)).join('\f')
}

/** Joins words, with spaces if their scripts use spaces. */
function joinWords(words: string[]): string {
  return words.reduce((text, word) => (text === '' ? word : `${text}${isSpaced(text, word) ? ' ' : ''}${word}`), '')
}

/** Returns whether two words are separated by a space. */
export function isSpaced(before: string, after: string): boolean {
  const [last, first] = [Array.from(before).at(-1) ?? '', Array.from(after)[0] ?? '']
  return !(UNSPACED.test(last) && UNSPACED.test(first))
}
