import { PDFHexString, PDFName, PDFString } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { Bounds } from '../../../pdf/geometry'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import { PageReader } from '../../../pdf/read-page'
import type { Glyph } from '../../../pdf/read-page'
import { isUnspaced } from '../matching/character-classes'
import { annotationsUnder } from './annotations-near'
import type { PageAreas } from './areas'
import type { CutFields } from './cut-fields'

/** Minimum number of characters of a removed text to look for elsewhere, in most scripts and in Chinese and the like. */
const LEAST_LETTERS = 4
const LEAST_UNSPACED = 2

/** Maximum number of texts of one page to look for. */
const MOST_TEXTS = 5000

/** Entries of removed annotations and fields with their text. */
const TEXT_KEYS = ['V', 'DV', 'Contents'].map(key => PDFName.of(key))

/** The texts that areas remove from a page. */
export interface RemovedWords {
  texts: string[]
  /** Whether there are more texts than are returned. */
  isCut: boolean
}

/**
 * Returns the words under the areas of a page, as far as the page doesn't show them elsewhere too. Words in a row also
 * count as one text, and so do the characters under the areas.
 */
export function findRemovedWords(
  document: PdfDocument,
  { index, areas }: PageAreas,
  { kept: keptFields, texts: cutTexts }: CutFields,
): RemovedWords {
  const page = document.pages[index]
  if (!page) return { texts: [], isCut: false }
  const { glyphs, replacedGlyphs = [], isCut } = new PageReader(document, { layers: 'all' }).read(page)
  const holes = areas.map(({ hole }) => hole)
  const removed = new Set<string>()
  const kept = new Set<string>()
  const words = [...wordsOf(glyphs, 'text'), ...wordsOf(replacedGlyphs, 'ownText')]
  let run = ''
  for (const word of words) {
    const covered = word.parts.filter(({ glyph }) => holes.some(hole => isUnder(glyph, hole)))
    for (const token of tokensOf(word.text)) (covered.length > 0 ? removed : kept).add(token)
    if (covered.length > 0) removed.add(covered.map(({ text }) => text).join('')).add(word.text)
    else if (run !== '') removed.add(run)
    run = covered.length > 0 ? `${run} ${word.text}`.trim() : ''
  }
  removed.add(run)
  for (const text of cutTexts.get(index) ?? []) for (const part of tokensOf(text)) removed.add(part)
  for (const field of keptFields)
    for (const text of textsOf(document, document.peekDict(field))) for (const part of tokensOf(text)) kept.add(part)
  for (const annotation of annotationsUnder(document, page, areas, keptFields))
    for (const text of textsOf(document, annotation)) for (const part of [text, ...tokensOf(text)]) removed.add(part)
  const texts = [...removed].map(text => text.trim()).filter(text => isLong(text) && !kept.has(text.toLowerCase()))
  return { texts: texts.slice(0, MOST_TEXTS), isCut: isCut || texts.length > MOST_TEXTS }
}

/** A word of a page, and the glyphs that show it. */
interface Word {
  text: string
  parts: { text: string; glyph: Glyph }[]
}

function wordsOf(glyphs: readonly Glyph[], key: 'text' | 'ownText'): Word[] {
  const words: Word[] = []
  for (const glyph of glyphs) {
    const last = words.at(-1)
    const text = glyph[key]
    if (last && !glyph.isSpaced) {
      last.parts.push({ text, glyph })
      last.text += text
    } else words.push({ text, parts: [{ text, glyph }] })
  }
  return words
}

function isUnder({ left, right, bottom, top }: Glyph, hole: Bounds): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return x > hole.left && x < hole.right && y > hole.bottom && y < hole.top
}

/** The parts of a text between punctuation, in lower case. */
function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function isLong(text: string): boolean {
  const letters = Array.from(text).filter(character => /[\p{L}\p{N}]/u.test(character))
  return letters.length >= (letters.every(isUnspaced) ? LEAST_UNSPACED : LEAST_LETTERS)
}

function textsOf(document: PdfDocument, annotation: PDFDict | undefined): string[] {
  return TEXT_KEYS.flatMap(key => {
    const value = document.peek(annotation?.get(key))
    return value instanceof PDFString || value instanceof PDFHexString ? [readText(value) ?? ''] : []
  })
}
