import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { FontMeaning } from './font-meaning'
import { ShownCodes } from './shown-codes'

/**
 * Number of different isolated codes, without a meaning or with private-use meanings, that count as text. Fewer codes
 * may be symbols or icons.
 */
const LEAST_ALONE = 4
const LEAST_PRIVATE = 6

/** The share of word spaces among glyphs, in text of at least `LEAST_TEXT` glyphs. */
const BLANKS = { least: 0.1, most: 0.25 }
const LEAST_TEXT = 20

/** The codes that a page shows in one font, stored by their keys. */
interface Use {
  codes: Set<number>
  /** Codes in words that have no meaning or a wrong one. */
  inWords: Set<number>
  /** Isolated codes that have no meaning or a wrong one. */
  alone: Set<number>
  isPrivate: boolean
  /** The number of shown glyphs. */
  count: number
  /** The number of shown glyphs whose codes are in `inWords`. */
  doubtful: number
}

/**
 * Returns which of the given page positions (from 0) have visible or invisible text without a usable Unicode mapping. A
 * mapping isn't usable if it is missing, maps to private-use characters, contradicts the glyphs, or maps many glyphs to
 * the same text. A search finds nothing on these pages. Symbol fonts and isolated symbols don't count.
 */
export function findUnsearchablePages(document: PdfDocument, pageIndexes: readonly number[]): ReadonlySet<number> {
  const shown = new ShownCodes(document)
  const meanings = new Map<PDFDict, FontMeaning>()
  const pages: { index: number; uses: Map<FontMeaning, Use> }[] = []
  for (const index of pageIndexes) {
    const page = document.pages[index]
    if (!page) continue
    const uses = new Map<FontMeaning, Use>()
    pages.push({ index, uses })
    shown.read(page, (font, keys) => {
      const meaning = meanings.get(font) ?? new FontMeaning(document, font)
      meanings.set(font, meaning)
      if (meaning.isOfSigns) return
      const use = uses.get(meaning) ?? {
        codes: new Set(),
        inWords: new Set(),
        alone: new Set(),
        isPrivate: true,
        count: 0,
        doubtful: 0,
      }
      uses.set(meaning, use)
      addRun(use, meaning, keys)
    })
  }
  const doubtful = new Map([...meanings.values()].map(meaning => [meaning, meaning.listDoubtful()]))
  return new Set(
    pages
      .filter(({ uses }) => [...uses].some(([meaning, use]) => isUnsearchable(use, doubtful.get(meaning) ?? new Set())))
      .map(({ index }) => index),
  )
}

/**
 * Adds the codes of a text string to what a page shows in a font. A code without a meaning is in a word if a
 * different code beside it isn't a sign.
 */
function addRun(use: Use, meaning: FontMeaning, codes: readonly number[]): void {
  const kinds = codes.map(code => meaning.of(code))
  for (const [at, kind] of kinds.entries()) {
    const code = codes[at] as number
    use.codes.add(code)
    use.count++
    if (kind === 'letter' || kind === 'sign') continue
    if (kind !== 'private') use.isPrivate = false
    const inWord = [at - 1, at + 1].some(other => {
      const neighbor = kinds[other]
      return neighbor !== undefined && neighbor !== 'sign' && codes[other] !== code
    })
    if (inWord) use.doubtful++
    ;(inWord ? use.inWords : use.alone).add(code)
  }
}

function isUnsearchable(
  { codes, inWords, alone, isPrivate, count, doubtful }: Use,
  wrong: ReadonlySet<number>,
): boolean {
  if ([...codes].filter(code => wrong.has(code)).length > 1) return true
  if (inWords.size === 1 && isBlank(doubtful, count)) return false
  return inWords.size > 0 || alone.size >= (isPrivate ? LEAST_PRIVATE : LEAST_ALONE)
}

/** Returns whether the only glyph without a meaning is as frequent as a word space. */
function isBlank(doubtful: number, count: number): boolean {
  return count >= LEAST_TEXT && doubtful >= BLANKS.least * count && doubtful <= BLANKS.most * count
}
