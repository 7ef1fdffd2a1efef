import { PDFDict, PDFHexString, PDFString } from 'pdf-lib'
import { entryOf } from '../examination/model'
import { UNDECIDED } from '../examination/rules'
import type { Finding, Rule } from '../examination/rules'
import { listedCharacter } from './adobe-glyph-list'
import { NOTDEF } from '../../../pdf/fonts'
import { isSymbolic } from './font-flags'
import { isSubset } from './font-rules'
import type { FontSubject } from './font-rules'
import { readGlyphNames } from './program-glyphs'
import * as Name from '../../../pdf/names'

/** Requirements for subsets of Type 1 fonts (ISO 19005-1, 6.3.5; ISO 19005-2, 6.2.11.4.2). */
export const TYPE1_RULES: Rule<FontSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.5-2' },
    message: 'The font descriptor of a Type 1 subset must list the glyphs that are shown in /CharSet.',
    check(subject) {
      if (!isSubset(subject)) return undefined
      const names = readCharSet(subject)
      return names ? findUnlistedUse(subject, names) : 'no /CharSet'
    },
  },
  {
    in: { 'pdfa-2': '6.2.11.4.2-1', 'pdfa-3': '6.2.11.4.2-1', 'pdfua-1': '7.21.4.2-1' },
    message: 'If an embedded Type 1 subset has /CharSet, it must list all glyphs of the font program.',
    check(subject) {
      const { format } = subject.embedded
      if (!isSubset(subject) || format === 'missing' || format === 'damaged') return undefined
      const names = readCharSet(subject)
      return names && compareCharSet(subject, names)
    },
  },
]

/** The names in /CharSet, such as `(/A/B/space)`. */
function readCharSet({ font }: FontSubject): Set<string> | undefined {
  const value = entryOf(font.document, font.descriptor, 'CharSet')
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined
  const text = Buffer.from(value.asBytes()).toString('latin1')
  return new Set([...text.matchAll(/\/([^\s/<>[\](){}%]*)/g)].map(([, name = '']) => name))
}

/** PDF/A-1 asks for the glyphs that the file shows, if the font program has them. */
function findUnlistedUse({ font, embedded }: FontSubject, listed: ReadonlySet<string>): Finding {
  if (embedded.format === 'unreadable') return UNDECIDED
  const present = new Set(listNames(embedded))
  const nameOf = readGlyphNames(font, embedded)
  for (const code of [...font.visible.keys(), ...font.invisible.keys()]) {
    const name = nameOf(code)
    if (name !== NOTDEF && present.has(name) && !listed.has(name)) return `/CharSet lacks /${name}`
  }
  return undefined
}

function compareCharSet({ embedded }: FontSubject, listed: ReadonlySet<string>): Finding {
  if (embedded.format === 'unreadable') return UNDECIDED
  const present = new Set(listNames(embedded))
  const unlisted = [...present].find(name => name !== NOTDEF && !listed.has(name))
  if (unlisted !== undefined) return `/CharSet lacks /${unlisted}`
  const unknown = [...listed].find(name => name !== NOTDEF && !present.has(name))
  return unknown === undefined ? undefined : `the font program lacks /${unknown}`
}

function listNames(embedded: FontSubject['embedded']): string[] {
  if (embedded.format === 'type1') return [...embedded.program.names]
  if (embedded.format !== 'cff') return []
  const { program } = embedded
  return Array.from({ length: program.glyphCount }, (_, glyph) => program.nameOf(glyph) ?? NOTDEF)
}

/** Requirements for encodings of TrueType fonts (ISO 19005-1, 6.3.7; ISO 19005-2, 6.2.11.6). */
export const TRUE_TYPE_RULES: Rule<FontSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.7-1' },
    message: 'A nonsymbolic TrueType font must have MacRomanEncoding or WinAnsiEncoding, without /Differences.',
    check(subject) {
      if (isSymbolic(subject.font)) return undefined
      return findWrongBase(subject) ?? (hasDifferences(subject) ? '/Differences' : undefined)
    },
  },
  {
    in: { 'pdfa-1': '6.3.7-2', 'pdfa-2': '6.2.11.6-3', 'pdfa-3': '6.2.11.6-3', 'pdfua-1': '7.21.6-3' },
    message: "A symbolic TrueType font mustn't have /Encoding.",
    check(subject) {
      const base = isSymbolic(subject.font) ? baseEncodingOf(subject) : undefined
      return base === undefined ? undefined : `/Encoding /${base}`
    },
  },
  {
    in: { 'pdfa-2': '6.2.11.6-2', 'pdfa-3': '6.2.11.6-2', 'pdfua-1': '7.21.6-2' },
    message:
      'A nonsymbolic TrueType font must have MacRomanEncoding or WinAnsiEncoding, with listed glyph names in /Differences.',
    check(subject) {
      if (isSymbolic(subject.font)) return undefined
      return findWrongBase(subject) ?? (hasDifferences(subject) ? findWrongDifference(subject) : undefined)
    },
  },
]

function encodingOf({ font, dict }: FontSubject) {
  return entryOf(font.document, dict, 'Encoding')
}

/** The name in /Encoding, or the base encoding of the dictionary there. */
function baseEncodingOf(subject: FontSubject): string | undefined {
  const { document } = subject.font
  const encoding = encodingOf(subject)
  return document.peekName(encoding instanceof PDFDict ? encoding.get(Name.BaseEncoding) : encoding)
}

function findWrongBase(subject: FontSubject): Finding {
  const base = baseEncodingOf(subject)
  if (base === 'MacRomanEncoding' || base === 'WinAnsiEncoding') return undefined
  return base === undefined ? 'no base encoding' : `/${base}`
}

function hasDifferences(subject: FontSubject): boolean {
  const encoding = encodingOf(subject)
  return encoding instanceof PDFDict && encoding.has(Name.Differences)
}

function findWrongDifference(subject: FontSubject): Finding {
  const { embedded, font } = subject
  if (embedded.format !== 'true-type') return '/Differences without a font program'
  if (!embedded.program.subtables.includes('3,1')) return '/Differences without a (3,1) subtable in the font program'
  const encoding = encodingOf(subject)
  const differences = encoding instanceof PDFDict ? entryOf(font.document, encoding, 'Differences') : undefined
  for (const item of font.document.peekItems(differences)) {
    const name = font.document.peekName(item)
    if (name !== undefined && listedCharacter(name) === undefined) return `/${name} in /Differences`
  }
  return undefined
}

/** Requirements for `cmap` tables of TrueType font programs. The subjects have opened programs. */
export const CMAP_TABLE_RULES: Rule<FontSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.7-3' },
    message: 'The cmap table of a symbolic TrueType font program must have exactly one subtable.',
    check(subject) {
      const subtables = subtablesOf(subject)
      return isSymbolic(subject.font) && subtables.length !== 1 ? countOf(subtables) : undefined
    },
  },
  {
    in: { 'pdfa-2': '6.2.11.6-1', 'pdfa-3': '6.2.11.6-1', 'pdfua-1': '7.21.6-1' },
    message: 'The cmap table of a nonsymbolic TrueType font program must have a subtable other than (3,0).',
    check(subject) {
      const subtables = subtablesOf(subject)
      const count = subtables.length - (subtables.includes('3,0') ? 1 : 0)
      return isSymbolic(subject.font) || count > 0 ? undefined : countOf(subtables)
    },
  },
  {
    in: { 'pdfa-2': '6.2.11.6-4', 'pdfa-3': '6.2.11.6-4', 'pdfua-1': '7.21.6-4' },
    message: 'The cmap table of a symbolic TrueType font program must have one subtable or include (3,0).',
    check(subject) {
      const subtables = subtablesOf(subject)
      const isRight = subtables.length === 1 || subtables.includes('3,0')
      return !isSymbolic(subject.font) || isRight ? undefined : countOf(subtables)
    },
  },
]

function subtablesOf({ embedded }: FontSubject): readonly string[] {
  return embedded.format === 'true-type' ? embedded.program.subtables : []
}

function countOf(subtables: readonly string[]): string {
  return subtables.length === 0 ? 'no subtables' : `subtables ${subtables.map(pair => `(${pair})`).join(' ')}`
}
