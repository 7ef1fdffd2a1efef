import { findSystemFont } from './system-fonts/system-font'
import type { SystemFont } from './system-fonts/system-font'
import { isStandardCharacter } from './system-fonts/unembedded-fonts'
import { isBlank, isUnseen, readPageText } from './page-text'
import type { Pdfium } from './pdfium/pdfium'

/** Maximum length of a family name with its ending zero byte. */
const NAME_BYTES = 64

/** What a font can draw. */
type Coverage = (character: number) => boolean

const EVERYTHING: Coverage = () => true

/**
 * Returns whether a loaded page shows characters in a font that isn't embedded and that PDFium draws in a font without
 * them. `fallback` is the font in which PDFium looks next. With `hasUnknown`, codes without a character count too.
 */
export function hasUndrawnText(
  pdfium: Pdfium,
  page: number,
  { fallback, hasUnknown }: { fallback: SystemFont | undefined; hasUnknown: boolean },
): boolean {
  const { malloc, free } = pdfium.pdfium.wasmExports
  const address = malloc(NAME_BYTES)
  const byFont = new Map<number, Coverage>()
  const byObject = new Map<number, Coverage>()
  const coverageOf = (object: number): Coverage => {
    const known = byObject.get(object)
    if (known) return known
    const font = isUnseen(pdfium, object) ? 0 : pdfium.FPDFTextObj_GetFont(object)
    const coverage = font === 0 ? EVERYTHING : (byFont.get(font) ?? readCoverage(pdfium, { font, address, fallback }))
    byFont.set(font, coverage)
    byObject.set(object, coverage)
    return coverage
  }
  try {
    return readPageText(pdfium, page, text =>
      text.texts.some((character, index) => {
        const object = text.objectOf(index)
        if (object === 0 || isBlank(character)) return false
        const covers = coverageOf(object)
        return !covers(character.codePointAt(0) ?? 0) || (hasUnknown && covers !== EVERYTHING && text.isGuess(index))
      }),
    )
  } finally {
    free(address)
  }
}

function readCoverage(
  pdfium: Pdfium,
  { font, address, fallback }: { font: number; address: number; fallback: SystemFont | undefined },
): Coverage {
  if (pdfium.FPDFFont_GetIsEmbedded(font) !== 0) return EVERYTHING
  pdfium.pdfium.setValue(address, 0, 'i8')
  pdfium.FPDFFont_GetFamilyName(font, address, NAME_BYTES)
  const family = pdfium.pdfium.UTF8ToString(address)
  if (/symbol|dingbats/i.test(family)) return EVERYTHING
  const own = findSystemFont(family)
  if (!own) return character => isStandardCharacter(character) || (fallback?.characters.has(character) ?? false)
  return character =>
    own.characters.has(character) || (own.hasFallback && (fallback?.characters.has(character) ?? false))
}
