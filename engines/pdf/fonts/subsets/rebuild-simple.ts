import type { PDFDict, PDFName, PDFObject } from 'pdf-lib'
import { findStandardMetrics } from '../standard-widths'
import { subsetCff } from '../programs/cff/subset-cff'
import { subsetTrueType } from '../programs/true-type/subset-true-type'
import { readCharacterOfName } from '../programs/glyph-names'
import { subsetType1 } from '../programs/type1/subset-type1'
import type { TrueTypeProgram } from '../programs/true-type/true-type'
import { codeOfKey } from '../../content/code-keys'
import type { PdfDocument } from '../../document/document'
import { builtInName } from '../built-in-names'
import type { OpenedProgram } from '../font-program'
import type { FontSpace } from './font-spaces'
import { readSimpleCodes } from '../simple-codes'
import type { SimpleCodes } from '../simple-codes'
import { isNaturalEncoding } from './standard-codes'
import type { Meaning } from './standard-codes'
import { giveCodes, keepKeys } from './rebuilt-space'
import type { Rebuilding, RebuiltSpace } from './rebuilt-space'
import { writeDescriptor, writeEncoding } from './write-font'
import type { NewProgram } from './write-font'
import * as Name from '../../syntax/names'

/** Glyph names that a program numbered itself, such as `g12` or `glyph_7`, but not `uni20AC` or `u1F600`. */
const NUMBERED = /^(?!uni[0-9A-F]{4}|u[0-9A-F]{4,6}$)[A-Za-z._]{0,6}\d+$/

interface Plan extends SimpleCodes {
  document: PdfDocument
  space: FontSpace
  font: PDFDict
  keepsCodes: boolean
}

/**
 * Rebuilds a Type 1 or TrueType font (ISO 32000-2, 9.6) with only the shown glyphs. The new program, encoding and codes
 * depend only on these glyphs. Returns undefined if that can't be done safely. `meaning` returns the meaning of a code.
 */
export function rebuildSimple(
  document: PdfDocument,
  space: FontSpace,
  { opened, meaning, keepsCodes = false }: Rebuilding,
): RebuiltSpace | undefined {
  const [font] = space.fonts
  if (!font || space.shown.some(shown => codeOfKey(shown).length !== 1)) return undefined
  const plan = { document, space, font, keepsCodes, ...readSimpleCodes(document, font, space.descriptor) }
  const named: Meaning = shown => ({
    glyphName: plan.nameOfCode(codeOfKey(shown).code) ?? builtInName(opened, codeOfKey(shown).code),
    unicode: meaning(shown).unicode,
  })
  const isNatural = keepsCodes || isNaturalEncoding([...space.before, ...space.shown], named)
  if (opened?.format === 'true-type') return rebuildTrueType(plan, opened.program, isNatural)
  if (opened) return rebuildNamed(plan, opened, isNatural)
  return rebuildBare(plan, isNatural)
}

/** Rebuilds a font without a program. Only its codes and glyph names may reveal removed text. */
function rebuildBare(
  { document, space, nameOfCode, hasDifferences, base }: Plan,
  isNatural: boolean,
): RebuiltSpace | undefined {
  const standard = (code: number): string | undefined =>
    nameOfCode(code) ?? findStandardMetrics('Helvetica')?.nameOf(code, 'StandardEncoding')
  const isTrueType = document.peekName(space.fonts[0]?.get(Name.Subtype)) === 'TrueType'
  const codes = space.shown.map(shown => codeOfKey(shown).code)
  const canRecode = hasDifferences && !isTrueType && codes.every(code => standard(code) !== undefined)
  const keys = isNatural || !canRecode ? keepKeys(space) : giveCodes(space)
  const entries = new Map<PDFName, PDFObject | undefined>()
  if (hasDifferences)
    entries.set(
      Name.Encoding,
      writeEncoding(document, {
        base,
        names: namesByCode(keys, code => (canRecode && !isNatural ? standard(code) : nameOfCode(code))),
      }),
    )
  return { keys, entries, texts: new Map() }
}

/** Rebuilds a font with a Type 1 or bare CFF program. The glyphs of these programs have names. */
function rebuildNamed(
  plan: Plan,
  opened: Exclude<OpenedProgram, { format: 'true-type' }>,
  isNatural: boolean,
): RebuiltSpace | undefined {
  const { document, space, nameOfCode, font } = plan
  if (opened.format === 'cff' && opened.program.isCid) return undefined
  const nameOfShown = (code: number): string | undefined => nameOfCode(code) ?? builtInName(opened, code)
  const keys = isNatural ? keepKeys(space) : giveCodes(space)
  const oldNames = [...new Set(space.shown.flatMap(shown => nameOfShown(codeOfKey(shown).code) ?? []))]
  // The names of dingbats are numbered too, but they have a meaning.
  const isDingbats = /dingbats/i.test(document.peekName(font.get(Name.BaseFont)) ?? '')
  const numberedNames = isNatural || isDingbats ? [] : oldNames.filter(name => NUMBERED.test(name))
  const renamed = new Map(numberedNames.map((name, index) => [name, `g${index + 1}`]))
  const names = namesByCode(keys, code => {
    const name = nameOfShown(code)
    return name === undefined ? undefined : (renamed.get(name) ?? name)
  })
  const program = cutNamed(opened, { oldNames, renamed, keys, nameOfShown })
  if (!program) return undefined
  const charSet = [...new Set(names.values())]
    .filter(name => name !== '.notdef')
    .map(name => `/${name}`)
    .join('')
  const entries = new Map<PDFName, PDFObject | undefined>([
    [Name.FontDescriptor, writeDescriptor(document, space.descriptor, { ...program, charSet })],
  ])
  if (!isNatural) entries.set(Name.Encoding, writeEncoding(document, { base: undefined, names }))
  else if (font.has(Name.Encoding)) {
    const differences = plan.hasDifferences ? names : new Map<number, string>()
    entries.set(Name.Encoding, writeEncoding(document, { base: plan.base, names: differences }))
  }
  return { keys, entries, texts: new Map() }
}

interface NamedCut {
  oldNames: readonly string[]
  renamed: ReadonlyMap<string, string>
  keys: ReadonlyMap<number, number>
  nameOfShown: (code: number) => string | undefined
}

function cutNamed(
  opened: Exclude<OpenedProgram, { format: 'true-type' }>,
  { oldNames, renamed, keys, nameOfShown }: NamedCut,
): NewProgram | undefined {
  const codes = namesByCode(keys, nameOfShown)
  if (opened.format === 'type1') {
    const cut = subsetType1(opened.program, {
      names: oldNames,
      renamed,
      codes,
      isMissingBlank: !oldNames.includes('.notdef') && oldNames.every(name => opened.program.names.includes(name)),
    })
    return (
      cut && {
        programKey: 'FontFile',
        bytes: cut.bytes,
        dict: { Length1: cut.length1, Length2: cut.length2, Length3: cut.length3 },
      }
    )
  }
  const { program } = opened
  const glyphOf = (name: string): number => program.glyphOfName(name) ?? 0
  const glyphs = [...new Set(oldNames.map(glyphOf))].filter(glyph => glyph > 0)
  const names = new Map([...renamed].map(([from, to]) => [glyphOf(from), to] as const).filter(([glyph]) => glyph > 0))
  const isMissingBlank = oldNames.every(name => glyphOf(name) > 0)
  const cut = subsetCff(program, {
    glyphs,
    names,
    isMissingBlank,
    codes: new Map([...codes].map(([code, name]) => [code, glyphOf(name)] as const).filter(([, glyph]) => glyph > 0)),
  })
  return cut && { programKey: 'FontFile3', bytes: cut.bytes, dict: { Subtype: 'Type1C' } }
}

function rebuildTrueType(plan: Plan, program: TrueTypeProgram, isNatural: boolean): RebuiltSpace | undefined {
  const { document, space, nameOfCode, base, hasDifferences, isSymbolic, font } = plan
  const codes = space.shown.map(shown => codeOfKey(shown).code)
  const glyphOf = (code: number): number => program.glyphOfCode(code, plan.readingOf(code))
  const unicodeOf = (code: number): number | undefined => {
    const name = nameOfCode(code)
    return name === undefined ? undefined : readCharacterOfName(name)
  }
  const glyphs = [...new Set(codes.map(glyphOf))].filter(glyph => glyph > 0)
  const isNamed =
    isNatural &&
    font.has(Name.Encoding) &&
    (!isSymbolic || !hasDifferences) &&
    codes.every(code => (unicodeOf(code) ?? 0x10000) < 0x10000)
  const keys = isNatural ? keepKeys(space) : giveCodes(space)
  const map = new Map(
    isNamed
      ? codes.map(code => [unicodeOf(code) ?? 0, glyphOf(code)] as const)
      : [...keys].map(([from, to]) => [codeOfKey(to).code, glyphOf(codeOfKey(from).code)] as const),
  )
  // Some readers reject programs without any outline.
  const isMissingBlank = codes.length > 0 && codes.every(code => glyphOf(code) > 0)
  const cut = subsetTrueType(program, {
    glyphs,
    isMissingBlank,
    keepsBounds: plan.keepsCodes,
    ...(isNamed ? { unicodes: map } : { codes: map }),
  })
  if (!cut) return undefined
  const descriptor = writeDescriptor(document, space.descriptor, {
    programKey: 'FontFile2',
    bytes: cut.bytes,
    dict: { Length1: cut.bytes.length },
    ...(isNamed ? {} : { flags: plan.symbolicFlags }),
  })
  const entries = new Map<PDFName, PDFObject | undefined>([[Name.FontDescriptor, descriptor]])
  if (isNamed && hasDifferences)
    entries.set(Name.Encoding, writeEncoding(document, { base, names: namesByCode(keys, nameOfCode) }))
  if (!isNamed) entries.set(Name.Encoding, undefined)
  // Without an encoding, only ToUnicode states what the codes mean.
  const texts = new Map(
    isNamed
      ? []
      : space.shown.flatMap((shown): [number, string][] => {
          const unicode = unicodeOf(codeOfKey(shown).code)
          return unicode === undefined ? [] : [[shown, String.fromCodePoint(unicode)]]
        }),
  )
  return { keys, entries, texts }
}

function namesByCode(
  keys: ReadonlyMap<number, number>,
  nameOfCode: (code: number) => string | undefined,
): Map<number, string> {
  return new Map(
    [...keys].flatMap(([from, to]): [number, string][] => {
      const name = nameOfCode(codeOfKey(from).code)
      return name === undefined ? [] : [[codeOfKey(to).code, name]]
    }),
  )
}
