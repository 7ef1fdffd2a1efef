import { PDFArray } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { entryOf } from '../examination/model'
import { UNDECIDED, inAllParts } from '../examination/rules'
import type { Finding, Rule, RuleId } from '../examination/rules'
import type { Family } from '../examination/profiles'
import type { EmbeddedProgram } from './font-programs'
import type { UsedFont } from './used-font'
import { findProgram } from '../../../pdf/fonts'
import * as Name from '../../../pdf/names'

/** A font dictionary, with its font program. A Type 0 font and its CIDFont are two subjects. */
export interface FontSubject {
  font: UsedFont
  /** The dictionary with the font's name and descriptor. For a Type 0 font, the CIDFont. */
  dict: PDFDict | undefined
  subtype: string | undefined
  embedded: EmbeddedProgram
}

const SUBTYPES = new Set(['Type1', 'MMType1', 'TrueType', 'Type3', 'Type0', 'CIDFontType0', 'CIDFontType2'])
const PROGRAM_SUBTYPES = ['Type1C', 'CIDFontType0C', 'OpenType']

const STANDARD_FONTS = new Set(
  (
    'Courier Courier-Bold Courier-Oblique Courier-BoldOblique Helvetica Helvetica-Bold Helvetica-Oblique ' +
    'Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic Symbol ZapfDingbats'
  ).split(' '),
)

/** Rules of PDF/A and of PDF/UA-1. */
export function everywhere(first: RuleId, later: RuleId, accessible: RuleId): Partial<Record<Family, RuleId>> {
  return { ...inAllParts(first, later), 'pdfua-1': accessible }
}

/** Whether a font name has a subset tag (ISO 32000-2, 9.9.2). */
export function isSubset({ font, dict }: FontSubject): boolean {
  return /^[A-Z]{6}\+/.test(font.document.peekName(dict?.get(Name.BaseFont)) ?? '')
}

/** Requirements for every font dictionary (ISO 19005-1, 6.3.2 and 6.3.4; ISO 19005-2, 6.2.11.2 and 6.2.11.4.1). */
export const FONT_RULES: Rule<FontSubject>[] = [
  {
    in: inAllParts('6.3.2-1', '6.2.11.2-1'),
    message: 'The /Type of a font must be /Font.',
    check({ font, dict }) {
      const type = font.document.peekName(dict?.get(Name.Type))
      return type === 'Font' ? undefined : type === undefined ? 'no /Type' : `/Type /${type}`
    },
  },
  {
    in: inAllParts('6.3.2-2', '6.2.11.2-2'),
    message: 'The /Subtype of a font must be a font type of ISO 32000.',
    check: ({ subtype }) =>
      SUBTYPES.has(subtype ?? '') ? undefined : subtype === undefined ? 'no /Subtype' : `/Subtype /${subtype}`,
  },
  {
    in: inAllParts('6.3.2-3', '6.2.11.2-3'),
    message: 'A font must have its PostScript name in /BaseFont.',
    check: ({ font, dict, subtype }) =>
      subtype === 'Type3' || font.document.peekName(dict?.get(Name.BaseFont)) !== undefined
        ? undefined
        : 'no /BaseFont',
  },
  {
    in: { 'pdfa-1': '6.3.2-7' },
    message: 'The /Subtype of an embedded font program must be /Type1C or /CIDFontType0C.',
    check: subject => findProgramSubtype(subject, PROGRAM_SUBTYPES.slice(0, 2)),
  },
  {
    in: { 'pdfa-2': '6.2.11.2-7', 'pdfa-3': '6.2.11.2-7' },
    message: 'The /Subtype of an embedded font program must be /Type1C, /CIDFontType0C or /OpenType.',
    check: subject => findProgramSubtype(subject, PROGRAM_SUBTYPES),
  },
  {
    in: everywhere('6.3.4-1', '6.2.11.4.1-1', '7.21.4.1-1'),
    message: 'The font program of a font must be embedded.',
    check: findMissingProgram,
  },
]

function findProgramSubtype({ font }: FontSubject, allowed: readonly string[]): Finding {
  const { document, descriptor } = font
  const subtype = document.peekName(findProgram(document, descriptor)?.stream.dict.get(Name.Subtype))
  return subtype === undefined || allowed.includes(subtype) ? undefined : `/Subtype /${subtype}`
}

function findMissingProgram({ font, dict, subtype, embedded }: FontSubject): Finding {
  if (subtype === 'Type3' || subtype === 'Type0' || !font.isRendered) return undefined
  // Another rule reports an unknown font type.
  if (!SUBTYPES.has(subtype ?? '')) return undefined
  if (embedded.format === 'unreadable') return UNDECIDED
  if (embedded.format !== 'missing' && embedded.format !== 'damaged') return undefined
  const name = font.document.peekName(dict?.get(Name.BaseFont)) ?? 'font without a name'
  return embedded.format === 'missing' ? `${name} isn't embedded` : `the font program of ${name} is damaged`
}

/** Requirements for Type 1, TrueType and Type 3 fonts. The 14 standard fonts may leave their widths out. */
export const SIMPLE_FONT_RULES: Rule<FontSubject>[] = [
  {
    in: inAllParts('6.3.2-4', '6.2.11.2-4'),
    message: 'A simple font must have /FirstChar.',
    check: subject =>
      isStandard(subject) || integerOf(subject, 'FirstChar') !== undefined ? undefined : 'no /FirstChar',
  },
  {
    in: inAllParts('6.3.2-5', '6.2.11.2-5'),
    message: 'A simple font must have /LastChar.',
    check: subject =>
      isStandard(subject) || integerOf(subject, 'LastChar') !== undefined ? undefined : 'no /LastChar',
  },
  {
    in: inAllParts('6.3.2-6', '6.2.11.2-6'),
    message: 'A simple font must have a width for each code from /FirstChar to /LastChar.',
    check(subject) {
      if (isStandard(subject)) return undefined
      const widths = entryOf(subject.font.document, subject.dict, 'Widths')
      if (!(widths instanceof PDFArray)) return 'no /Widths'
      // An entry that is missing counts as 0.
      const count = (integerOf(subject, 'LastChar') ?? 0) - (integerOf(subject, 'FirstChar') ?? 0) + 1
      return widths.size() === count ? undefined : `${widths.size()} widths for ${count} codes`
    },
  },
]

function isStandard({ font, dict, subtype, embedded }: FontSubject): boolean {
  if (subtype !== 'Type1' && subtype !== 'MMType1') return false
  const name = font.document.peekName(dict?.get(Name.BaseFont))
  return embedded.format === 'missing' && STANDARD_FONTS.has(name ?? '')
}

function integerOf({ font, dict }: FontSubject, key: string): number | undefined {
  const value = font.document.peekNumber(entryOf(font.document, dict, key))
  return value === undefined ? undefined : Math.trunc(value)
}
