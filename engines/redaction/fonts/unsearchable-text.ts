import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { FontMeaning } from './font-meaning'
import { ShownCodes } from './shown-codes'

/**
 * Different codes of a font without any meaning, or with private ones, which may be icons, that are more than signs
 * where each stands alone.
 */
const LEAST_ALONE = 4
const LEAST_PRIVATE = 6

/** How often the blank between words comes among glyphs, in texts of so many at least. */
const BLANKS = { least: 0.1, most: 0.25 }
const LEAST_TEXT = 20

/** What a page shows of a font. */
interface Use {
  /** Keys of codes, as all here. */
  codes: Set<number>
  /** Codes without a meaning, or with a wrong one: those in words, and those that stand alone. */
  inWords: Set<number>
  alone: Set<number>
  isPrivate: boolean
  /** Glyphs in all, and those of `inWords`. */
  count: number
  doubtful: number
}

/**
 * The positions of pages, among those given (from 0), that draw text, seen or not, whose meaning the file does not say:
 * no meaning at all, a private one, one that contradicts the glyphs, or the same one for many glyphs. A search finds
 * nothing there. Fonts of signs do not count, nor does a sign that stands alone.
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
      note(use, meaning, keys)
    })
  }
  const doubtful = new Map([...meanings.values()].map(meaning => [meaning, meaning.listDoubtful()]))
  return new Set(
    pages
      .filter(({ uses }) => [...uses].some(([meaning, use]) => isUnsearchable(use, doubtful.get(meaning) ?? new Set())))
      .map(({ index }) => index),
  )
}

function note(use: Use, meaning: FontMeaning, codes: readonly number[]): void {
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

/** Whether the only glyph without a meaning comes as often as the blank between words. */
function isBlank(doubtful: number, count: number): boolean {
  return count >= LEAST_TEXT && doubtful >= BLANKS.least * count && doubtful <= BLANKS.most * count
}
