import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { readCharacterOfName } from '../../fonts/programs/glyph-names'
import { readEncoding } from '../../fonts/simple-font'
import { findStandardMetrics } from '../../fonts/standard-widths'
import { findFormFonts } from '../../fonts/subsets/font-spaces'
import { findDescendant, findProgram } from '../../fonts/font-program'
import { listFontsOfPage } from '../../fonts/subsets/shown-codes'
import { readToUnicode } from '../../fonts/cmaps/to-unicode'
import { readCollection } from '../../fonts/character-collection'
import * as Name from '../../syntax/names'
import { findOrAdd } from '../../../map-entries'

/** Maximum number of texts of a /ToUnicode map that are read. They only have to show the script. */
const MOST_TEXTS = 1000

/** The ordering of a font whose CIDs are glyph numbers of its program. */
const IDENTITY = /^Identity/

/** A font that isn't embedded and that PDFium's own fonts may not have all glyphs of. */
export interface UnembeddedFont {
  /** /BaseFont, in lowercase and without spaces and signs. */
  plainName: string
  /** Code points beyond the standard Latin character set, as far as the font tells them. */
  characters: readonly number[]
  /** Whether the characters of its codes are in the missing program only. PDFium then draws any glyphs. */
  isUnknown: boolean
}

let standardNames: ReadonlySet<string> | undefined

/** Finds the fonts of pages that aren't embedded and that may need glyphs beyond Latin. */
export class UnembeddedFonts {
  private readonly byFont = new Map<PDFDict, UnembeddedFont | undefined>()
  private readonly byPage = new Map<number, readonly UnembeddedFont[]>()

  constructor(private readonly document: PdfDocument) {}

  /** The fonts in the resources of the page at this position (from 0), its annotations and the form. */
  list(pageIndex: number): readonly UnembeddedFont[] {
    return findOrAdd(this.byPage, pageIndex, () => {
      const page = this.document.pages[pageIndex]
      const named = page ? [...listFontsOfPage(this.document, page).keys()] : []
      if (page?.dict.has(Name.Annots)) named.push(...findFormFonts(this.document))
      return named.flatMap(font => this.find(font) ?? [])
    })
  }

  private find(font: PDFDict): UnembeddedFont | undefined {
    if (this.byFont.has(font)) return this.byFont.get(font)
    const found = this.read(font)
    this.byFont.set(font, found)
    return found
  }

  private read(font: PDFDict): UnembeddedFont | undefined {
    const { document } = this
    const kind = document.peekName(font.get(Name.Subtype))
    if (kind === 'Type3') return undefined
    const own = kind === 'Type0' ? findDescendant(document, font) : font
    if (findProgram(document, document.peekDict(own?.get(Name.FontDescriptor)))) return undefined
    const baseFont = document.peekName(font.get(Name.BaseFont)) ?? ''
    const plainName = toPlainName(baseFont)
    if (kind === 'Type0') {
      const { ordering = '' } = readCollection(document, own?.get(Name.CIDSystemInfo))
      const isUnknown = !font.has(Name.ToUnicode) && IDENTITY.test(ordering)
      return { plainName, characters: this.readTexts(font), isUnknown }
    }
    // PDFium has Symbol and ZapfDingbats itself.
    if (kind !== 'TrueType' && findStandardMetrics(baseFont)?.isText === false) return undefined
    const names = [...readEncoding(document, font).names.values()].filter(name => !isStandard(name))
    if (names.length === 0) return undefined
    return { plainName, characters: names.flatMap(name => readCharacterOfName(name) ?? []), isUnknown: false }
  }

  private readTexts(font: PDFDict): number[] {
    const characters: number[] = []
    for (const text of readToUnicode(this.document, font)?.listTexts() ?? []) {
      const character = text.codePointAt(0) ?? 0
      if (character > 0x7f) characters.push(character)
      if (characters.length >= MOST_TEXTS) break
    }
    return characters
  }
}

/** Returns a font name in lowercase, without a subset prefix, spaces and signs. */
export function toPlainName(name: string): string {
  return name
    .replace(/^[A-Z]{6}\+/, '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
}

/** Returns whether the glyph name is in the standard Latin character set (ISO 32000-2, D.2), which PDFium's fonts have. */
function isStandard(name: string): boolean {
  if (!standardNames) {
    const { nameOf } = findStandardMetrics('Helvetica') ?? {}
    standardNames = new Set(
      ['StandardEncoding', 'WinAnsiEncoding', 'MacRomanEncoding'].flatMap(encoding =>
        Array.from({ length: 256 }, (_, code) => nameOf?.(code, encoding) ?? '.notdef'),
      ),
    )
  }
  return standardNames.has(name)
}

let standardCharacters: ReadonlySet<number> | undefined

/** Returns whether the character is in the standard Latin character set. */
export function isStandardCharacter(character: number): boolean {
  isStandard('')
  standardCharacters ??= new Set([...(standardNames ?? [])].flatMap(name => readCharacterOfName(name) ?? []))
  return standardCharacters.has(character)
}
