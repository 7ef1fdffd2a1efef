import { walkContent } from '../../../../../engines/pdf/content/walk/walk-content'
import { Examination } from '../../../../../engines/standards/conformance/examination/examination'
import { examineFonts } from '../../../../../engines/standards/conformance/font-rules/examine-fonts'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { FontWriter } from '../../../../../engines/pdf/fonts/programs/font-data'
import { writeSfnt } from '../../../../../engines/pdf/fonts/programs/true-type/sfnt'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { charstring } from '../../../../fixtures/charstrings'
import { type CffFixtureGlyph, writeCffFixture } from '../../../../fixtures/cff-writer'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { writeType1Fixture } from '../../../../fixtures/type1-writer'
import { LIMITS } from '../../../../support/run-on'

/** The objects of a font. Returns the number of the font dictionary. */
export type AddFont = (pdf: PdfWriter) => number

/** A page that shows a string in a font. */
export function writePage(addFont: AddFont, shown: string, state = ''): Uint8Array {
  const pdf = new PdfWriter()
  const [root, pages] = [pdf.reserve(), pdf.reserve()]
  const font = addFont(pdf)
  const content = pdf.addStream('', `BT /F 12 Tf ${state} ${shown} Tj ET`)
  const entries = `/MediaBox[0 0 200 200]/Resources<</Font<</F ${font} 0 R>>>>/Contents ${content} 0 R`
  const page = pdf.add(`<</Type/Page/Parent ${pages} 0 R${entries}>>`)
  pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R>>`)
  return new Uint8Array(pdf.write({ root }))
}

/** The broken rules about fonts, and the undecided ones with a question mark. */
export function findBroken(file: Uint8Array, profile: ProfileId): string[] {
  const document = openDocument(file, LIMITS)
  const examination = new Examination(document, file, profile)
  const area = examineFonts(examination)
  walkContent(document, area.listener ?? {})
  area.finish?.(true)
  const { failures, undecided } = examination.report()
  return [...failures.map(row => `${row.clause}-${row.test}`), ...undecided.map(row => `${row.clause}-${row.test}?`)]
}

interface ProgramEntry {
  key: 'FontFile' | 'FontFile2' | 'FontFile3'
  data: Uint8Array
  /** Entries of the stream. */
  entries?: string
}

/** A font descriptor with a font program. */
export function addDescriptor(pdf: PdfWriter, { flags = 4, entries = '', program }: DescriptorOptions): string {
  const file = program && pdf.addStream(program.entries ?? '', program.data)
  const embedded = program ? `/${program.key} ${file} 0 R` : ''
  return `/FontDescriptor ${pdf.add(`<</Type/FontDescriptor/FontName/X/Flags ${flags}${entries}${embedded}>>`)} 0 R`
}

export interface DescriptorOptions {
  flags?: number
  entries?: string
  program?: ProgramEntry | undefined
}

/** A Type 1 program with the glyphs A and B, 500 wide. */
export function type1Program(): ProgramEntry {
  const glyph = charstring(0, 500, 'hsbw', 'endchar')
  return { key: 'FontFile', data: writeType1Fixture({ glyphs: { '.notdef': glyph, A: glyph, B: glyph } }) }
}

/** A CFF program with named glyphs or CIDs, each 500 wide. */
export function cffProgram(keys: readonly (string | number)[], subtype: string): ProgramEntry {
  const glyphs = keys.map((key): CffFixtureGlyph => ({ key, charstring: charstring(500, 'endchar') }))
  return { key: 'FontFile3', data: writeCffFixture({ glyphs }), entries: subtype && `/Subtype/${subtype}` }
}

/** A TrueType program with three glyphs, 0, 500 and 600 wide. Glyph 1 is A (or code 65), and glyph 2 is B. */
export function trueTypeProgram(subtables: readonly (readonly [number, number])[]): ProgramEntry {
  const [first, count] = [65, 2]
  const cmap = new FontWriter().u16(0).u16(subtables.length)
  for (const [platform, encoding] of subtables)
    cmap
      .u16(platform)
      .u16(encoding)
      .u32(4 + subtables.length * 8)
  cmap.u16(6).u16(14).u16(0).u16(first).u16(count).u16(1).u16(2)
  const hhea = new FontWriter()
  for (let at = 0; at < 17; at++) hhea.u16(0)
  const data = writeSfnt(
    0x00010000,
    new Map([
      ['cmap', cmap.finish()],
      ['hhea', hhea.u16(3).finish()],
      ['hmtx', new FontWriter().u16(0).u16(0).u16(500).u16(0).u16(600).u16(0).finish()],
      ['maxp', new FontWriter().u32(0x00005000).u16(3).finish()],
    ]),
  )
  return { key: 'FontFile2', data }
}
