import type { Examination } from '../examination/examination'
import { objectOf } from '../examination/model'
import type { Location } from '../examination/report'
import type { Area } from '../examination/area'
import { CMAP_FILE_RULES, CMAP_RULES, REFERENCED_CMAP_RULES, examineCMaps } from './cmap-rules'
import { readCompositeGlyphs } from './composite-glyphs'
import { CID_FONT_RULES, TYPE0_RULES } from './composite-rules'
import { FontPrograms } from './font-programs'
import type { EmbeddedProgram } from './font-programs'
import { FONT_RULES, SIMPLE_FONT_RULES } from './font-rules'
import type { FontSubject } from './font-rules'
import type { GlyphReader } from './glyph-reader'
import { GLYPH_RULES, UNICODE_RULES } from './glyph-rules'
import { CMAP_TABLE_RULES, TRUE_TYPE_RULES, TYPE1_RULES } from './program-rules'
import { readSimpleGlyphs } from './simple-glyphs'
import type { UsedFont } from './used-font'
import { UsedFonts } from './used-fonts'
import * as Name from '../../../pdf/names'

const SIMPLE_SUBTYPES = new Set(['Type1', 'MMType1', 'TrueType', 'Type3'])

/** Checks the fonts of text-showing operators, and the glyphs that they show. Other fonts may have any fault. */
export function examineFonts(examination: Examination): Area {
  const fonts = new UsedFonts()
  return {
    listener: fonts,
    finish(isComplete) {
      const programs = new FontPrograms(examination.document)
      for (const font of fonts.all()) examineFont(examination, programs, font)
      if (!isComplete) leaveUndecided(examination)
    },
  }
}

/** The embedded program of a font. */
export function programOf(
  programs: FontPrograms,
  { document, descendant, descriptor, subtype }: UsedFont,
): EmbeddedProgram {
  const cidSubtype = document.peekName(descendant?.get(Name.Subtype))
  const cidKind = cidSubtype === 'CIDFontType2' ? cidSubtype : 'CIDFontType0'
  return programs.find(descendant ? cidKind : subtype, descriptor)
}

/** Reads the glyphs of a font. */
export function readGlyphs(font: UsedFont, embedded: EmbeddedProgram): GlyphReader {
  return font.cmap ? readCompositeGlyphs(font, embedded) : readSimpleGlyphs(font, embedded)
}

/** Checks one font, and the glyphs that are shown of it. */
export function examineFont(examination: Examination, programs: FontPrograms, font: UsedFont): void {
  const { document, descendant, dict, location, subtype } = font
  const embedded = programOf(programs, font)
  const subject: FontSubject = { font, dict: subtype === 'Type0' ? descendant : dict, subtype, embedded }
  examination.apply(FONT_RULES, subject, location)
  if (subtype === 'Type0') {
    examination.apply(TYPE0_RULES, subject, location)
    examineCMaps(examination, dict.get(Name.Encoding), location)
    const cidSubtype = document.peekName(descendant?.get(Name.Subtype))
    if (descendant) examineCidFont(examination, { ...subject, subtype: cidSubtype })
  } else examineSimpleFont(examination, subject)
  examineGlyphs(examination, font, embedded)
}

function examineCidFont(examination: Examination, subject: FontSubject): void {
  const { document, dict, location } = subject.font
  const [descendant] = document.peekItems(dict.get(Name.DescendantFonts))
  const object = objectOf(descendant) ?? location.object
  const at: Location = { ...location, ...(object !== undefined && { object }) }
  examination.apply(FONT_RULES, subject, at)
  examination.apply(CID_FONT_RULES, subject, at)
}

function examineSimpleFont(examination: Examination, subject: FontSubject): void {
  const { font, subtype, embedded } = subject
  if (SIMPLE_SUBTYPES.has(subtype ?? '')) examination.apply(SIMPLE_FONT_RULES, subject, font.location)
  if (subtype === 'Type1' || subtype === 'MMType1') examination.apply(TYPE1_RULES, subject, font.location)
  if (subtype !== 'TrueType') return
  examination.apply(TRUE_TYPE_RULES, subject, font.location)
  if (embedded.format === 'true-type') examination.apply(CMAP_TABLE_RULES, subject, font.location)
}

function examineGlyphs(examination: Examination, font: UsedFont, embedded: EmbeddedProgram): void {
  const glyphs = readGlyphs(font, embedded)
  const fontName = font.document.peekName(font.dict.get(Name.BaseFont)) ?? 'a font without a name'
  for (const isInvisible of [false, true])
    for (const [key, location] of isInvisible ? font.invisible : font.visible) {
      const subject = { key, fontName, glyphs, isInvisible }
      examination.apply(GLYPH_RULES, subject, location)
      examination.apply(UNICODE_RULES, subject, location)
    }
}

/** Content that wasn't read may use further fonts. */
function leaveUndecided(examination: Examination): void {
  for (const rules of [FONT_RULES, SIMPLE_FONT_RULES, TYPE0_RULES, CID_FONT_RULES])
    examination.leaveUndecided<FontSubject>(rules)
  for (const rules of [TYPE1_RULES, TRUE_TYPE_RULES, CMAP_TABLE_RULES]) examination.leaveUndecided<FontSubject>(rules)
  examination.leaveUndecided(CMAP_RULES)
  examination.leaveUndecided(REFERENCED_CMAP_RULES)
  examination.leaveUndecided(CMAP_FILE_RULES)
  examination.leaveUndecided(GLYPH_RULES)
  examination.leaveUndecided(UNICODE_RULES)
}
