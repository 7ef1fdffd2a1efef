import { describe, expect, it } from 'vitest'
import { blankCffTexts, blankType1Texts } from '../../../../engines/pdf/clean-data/blank-program-texts'
import { cleanStreams } from '../../../../engines/pdf/clean-data'
import { openCff } from '../../../../engines/pdf/fonts/programs/cff/cff'
import { openType1 } from '../../../../engines/pdf/fonts/programs/type1/type1'
import { openDocument } from '../../../../engines/pdf/open'
import { saveDocument } from '../../../../engines/pdf/save'
import { writeCffFixture } from '../../../fixtures/cff-writer'
import { makePage } from '../../../fixtures/images'
import { writeType1Fixture } from '../../../fixtures/type1-writer'
import { isInViews, readByteViews } from '../../../support/redaction-judges/byte-views'
import { LIMITS } from '../../../support/run-on'
import { writeTrueType } from '../../../redaction-traps/fonts/write-true-type'
import { nameTrueType } from '../../../../engines/pdf/fonts/programs/true-type/name-true-type'

const SECRET = 'QUIMBYSECRET'

describe('texts of a font program', () => {
  it('are blank in CFF, and glyphs keep their names', () => {
    const glyphs = ['.notdef', 'A', 'odd.name'].map(key => ({ key, charstring: Uint8Array.of(14) }))
    const program = Buffer.from(writeCffFixture({ name: SECRET, glyphs }))
    for (const text of [SECRET, 'A notice']) expect(program.includes(text)).toBe(true)
    blankCffTexts(program)
    for (const text of [SECRET, 'A notice']) expect(program.includes(text)).toBe(false)
    expect([0, 1, 2].map(glyph => openCff(program)?.nameOf(glyph))).toEqual(['.notdef', 'A', 'odd.name'])
  })

  it('are blank in a CID-keyed program, which keeps its collection', () => {
    const program = Buffer.from(writeCffFixture({ name: SECRET, glyphs: [{ key: 0, charstring: Uint8Array.of(14) }] }))
    blankCffTexts(program)
    expect(program.includes('AdobeIdentity')).toBe(true)
    expect(program.includes('A notice')).toBe(false)
  })

  it('are blank in Type 1, and nothing else changes', () => {
    const plain = Buffer.from(writeType1Fixture({ glyphs: { '.notdef': Uint8Array.of(14), A: Uint8Array.of(14) } }))
    const at = plain.indexOf('\n') + 1
    const notice = Buffer.from(`% ${SECRET}\n/Notice (${SECRET}) def\n`)
    const program = Buffer.concat([plain.subarray(0, at), notice, plain.subarray(at), Buffer.from(SECRET)])
    blankType1Texts(program)
    expect(program.includes(SECRET)).toBe(false)
    expect(program.toString('latin1', 0, 2)).toBe('%!')
    expect(openType1(program)?.names).toEqual(openType1(plain)?.names)
    expect(openType1(program)?.names).toContain('A')
  })

  it('are removed from OpenType files with the tables that no reader needs', async () => {
    const program = nameTrueType(writeTrueType({ letters: [], cmaps: [] }), SECRET)
    const file = makePage(
      'BT /F 9 Tf (x) Tj ET',
      pdf =>
        '/Font<</F<</Type/Font/Subtype/TrueType/BaseFont/X/FirstChar 120/LastChar 120/Widths[500]/FontDescriptor ' +
        `${pdf.add(`<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 ${pdf.addStream(`/Length1 ${program.length}`, program)} 0 R>>`)} 0 R>>>>`,
    )
    expect(isInViews(readByteViews(file), SECRET)).toBe(true)
    const document = openDocument(file, LIMITS)
    await cleanStreams(document)
    expect(isInViews(readByteViews(saveDocument(document).join()), SECRET)).toBe(false)
  })
})
