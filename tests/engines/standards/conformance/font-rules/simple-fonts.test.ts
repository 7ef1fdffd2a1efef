import { expect, test } from 'vitest'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { writeCffFixture } from '../../../../fixtures/cff-writer'
import { charstring } from '../../../../fixtures/charstrings'
import {
  addDescriptor,
  type AddFont,
  cffProgram,
  type DescriptorOptions,
  findBroken,
  trueTypeProgram,
  type1Program,
  writePage,
} from './font-file'

const NAMED = '/Type/Font/BaseFont/ABCDEF+X'
const WIDTHS = '/FirstChar 65/LastChar 66/Widths[500 500]'
const WIN_ANSI = '/Encoding/WinAnsiEncoding'

function font(entries: string, descriptor?: DescriptorOptions): AddFont {
  return pdf => pdf.add(`<<${entries}${descriptor ? addDescriptor(pdf, descriptor) : ''}>>`)
}

const type1 = (entries: string, descriptor: DescriptorOptions = {}): AddFont =>
  font(`${NAMED}/Subtype/Type1${entries}`, { program: type1Program(), entries: '/CharSet(/A/B)', ...descriptor })

const trueType = (entries: string, flags: number, subtables: readonly (readonly [number, number])[]): AddFont =>
  font(`${NAMED}/Subtype/TrueType/FirstChar 65/LastChar 66/Widths[500 600]${entries}`, {
    flags,
    program: trueTypeProgram(subtables),
  })

/** A CFF program whose glyphs A and B have the default width 500.9. */
function fractionalProgram(): DescriptorOptions['program'] {
  const glyphs = ['.notdef', 'A', 'B'].map(key => ({ key, charstring: charstring('endchar') }))
  const program = Buffer.from(writeCffFixture({ glyphs }))
  program.set([30, 0x50, 0x0a, 0x90, 0xff], program.indexOf(Buffer.of(29, 0, 0, 1, 244, 20)))
  return { key: 'FontFile3', data: program, entries: '/Subtype/Type1C' }
}

const differences = (name: string): string => `/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65/${name}]>>`

const type3 = (width: number, proc = 'A'): AddFont => {
  const entries = `/Type/Font/Subtype/Type3${WIDTHS}/FontBBox[0 0 9 9]/FontMatrix[0.001 0 0 0.001 0 0]`
  return pdf => {
    const glyph = pdf.addStream('', `${width} 0 d0`)
    return pdf.add(`<<${entries}/Encoding<</Differences[65/A]>>/CharProcs<</${proc} ${glyph} 0 R>>>>`)
  }
}

interface Case {
  name: string
  add: AddFont
  broken?: string[]
  shown?: string
  state?: string
}

const CASES: Partial<Record<ProfileId, Case[]>> = {
  'pdfa-1b': [
    { name: 'a Type 1 font', add: type1(WIDTHS) },
    { name: 'a CFF font', add: type1(WIDTHS, { program: cffProgram(['.notdef', 'A', 'B'], 'Type1C') }) },
    { name: 'no /Type', add: type1(`${WIDTHS}/Type/Fond`), broken: ['6.3.2-1'] },
    { name: 'no widths', add: type1(''), broken: ['6.3.2-4', '6.3.2-5', '6.3.2-6', '6.3.6-1'] },
    { name: 'too few widths', add: type1('/FirstChar 65/LastChar 66/Widths[500]'), broken: ['6.3.2-6'] },
    { name: 'a standard font', add: font('/Type/Font/Subtype/Type1/BaseFont/Helvetica'), broken: ['6.3.4-1'] },
    { name: 'mode 3', add: font('/Type/Font/Subtype/Type1/BaseFont/Helvetica'), state: '3 Tr' },
    {
      name: 'another /Subtype of the program',
      add: type1(WIDTHS, { program: cffProgram(['.notdef', 'A', 'B'], 'OpenType') }),
      broken: ['6.3.2-7'],
    },
    { name: 'no /CharSet', add: type1(WIDTHS, { entries: '' }), broken: ['6.3.5-2'] },
    { name: '/CharSet without a shown glyph', add: type1(WIDTHS, { entries: '/CharSet(/B)' }), broken: ['6.3.5-2'] },
    { name: '/CharSet without another glyph', add: type1(WIDTHS, { entries: '/CharSet(/A)' }) },
    { name: 'a wrong width', add: type1('/FirstChar 65/LastChar 66/Widths[502 500]'), broken: ['6.3.6-1'] },
    { name: 'a rounded width', add: type1('/FirstChar 65/LastChar 66/Widths[501 500]') },
    { name: 'a missing glyph', add: type1(`${WIDTHS}${differences('C')}`), broken: ['6.3.5-1', '6.3.6-1'] },
    { name: 'a TrueType font', add: trueType(WIN_ANSI, 32, [[3, 1]]) },
    { name: 'no encoding', add: trueType('', 32, [[1, 0]]), broken: ['6.3.7-1'] },
    { name: '/Differences', add: trueType(differences('A'), 32, [[3, 1]]), broken: ['6.3.7-1'] },
    { name: 'a symbolic font', add: trueType('', 4, [[3, 0]]) },
    { name: 'a symbolic font with an encoding', add: trueType(WIN_ANSI, 4, [[3, 0]]), broken: ['6.3.7-2'] },
    {
      name: 'a symbolic font with two subtables',
      add: trueType('', 4, [
        [3, 0],
        [1, 0],
      ]),
      broken: ['6.3.7-3'],
    },
    { name: 'a Type 3 font', add: type3(500) },
    { name: 'a Type 3 font with another width', add: type3(400), broken: ['6.3.6-1'] },
    { name: 'a Type 3 font without the glyph', add: type3(500, 'B'), broken: ['6.3.5-1', '6.3.6-1'] },
  ],
  'pdfa-2b': [
    { name: 'a Type 1 font', add: type1(WIDTHS) },
    { name: 'no /Type', add: type1(`${WIDTHS}/Type/Fond`), broken: ['6.2.11.2-1'] },
    {
      name: 'another /Subtype',
      add: font(`${NAMED}/Subtype/Type9${WIDTHS}`),
      broken: ['6.2.11.2-2'],
    },
    {
      name: 'no /BaseFont',
      add: font(`/Type/Font/Subtype/Type1${WIDTHS}`, { program: type1Program() }),
      broken: ['6.2.11.2-3'],
    },
    { name: 'no widths', add: type1(''), broken: ['6.2.11.2-4', '6.2.11.2-5', '6.2.11.2-6', '6.2.11.5-1'] },
    {
      name: 'OpenType',
      add: type1(WIDTHS, { program: cffProgram(['.notdef', 'A', 'B'], 'OpenType') }),
    },
    {
      name: 'another /Subtype of the program',
      add: type1(WIDTHS, { program: cffProgram(['.notdef', 'A', 'B'], 'Type2C') }),
      broken: ['6.2.11.2-7', '6.2.11.4.1-1'],
    },
    {
      name: 'a damaged program',
      add: type1(WIDTHS, { program: { key: 'FontFile', data: Buffer.from('damaged') } }),
      broken: ['6.2.11.4.1-1'],
    },
    {
      name: 'a program that cannot be read here',
      add: type1(WIDTHS, { program: { key: 'FontFile', data: Buffer.from('%!PS\ncurrentfile eexec ') } }),
      broken: ['6.2.11.4.1-1?', '6.2.11.4.1-2?', '6.2.11.4.2-1?', '6.2.11.5-1?'],
    },
    { name: 'a missing glyph', add: type1(`${WIDTHS}${differences('C')}`), broken: ['6.2.11.4.1-2', '6.2.11.5-1'] },
    {
      name: 'a default width of 500.9, which counts as 500',
      add: type1('/FirstChar 65/LastChar 66/Widths[501.5 500]', { program: fractionalProgram() }),
      broken: ['6.2.11.5-1'],
    },
    { name: 'no /CharSet', add: type1(WIDTHS, { entries: '' }) },
    { name: 'an incomplete /CharSet', add: type1(WIDTHS, { entries: '/CharSet(/A)' }), broken: ['6.2.11.4.2-1'] },
    { name: 'a wrong /CharSet', add: type1(WIDTHS, { entries: '/CharSet(/A/B/C)' }), broken: ['6.2.11.4.2-1'] },
    { name: 'only (3,0)', add: trueType(WIN_ANSI, 32, [[3, 0]]), broken: ['6.2.11.4.1-2', '6.2.11.5-1', '6.2.11.6-1'] },
    { name: 'no encoding', add: trueType('', 32, [[1, 0]]), broken: ['6.2.11.6-2'] },
    { name: '/Differences', add: trueType(differences('A'), 32, [[3, 1]]) },
    {
      name: '/Differences with an unlisted name',
      add: trueType(differences('g1'), 32, [[3, 1]]),
      broken: ['6.2.11.4.1-2', '6.2.11.5-1', '6.2.11.6-2'],
    },
    { name: '/Differences without (3,1)', add: trueType(differences('A'), 32, [[1, 0]]), broken: ['6.2.11.6-2'] },
    { name: 'a symbolic font with an encoding', add: trueType(WIN_ANSI, 4, [[3, 0]]), broken: ['6.2.11.6-3'] },
    {
      name: 'a symbolic font without (3,0)',
      add: trueType('', 4, [
        [1, 0],
        [0, 3],
      ]),
      broken: ['6.2.11.6-4'],
    },
    { name: '.notdef', add: type1(`${WIDTHS}${differences('.notdef')}`), broken: ['6.2.11.4.1-2', '6.2.11.8-1'] },
    {
      name: '.notdef in mode 3',
      add: type1(`${WIDTHS}${differences('.notdef')}`),
      state: '3 Tr',
      broken: ['6.2.11.8-1'],
    },
  ],
  'pdfa-2u': [
    { name: 'a listed name', add: type1(WIDTHS) },
    { name: 'a Type 3 font', add: type3(500) },
    {
      name: 'an unlisted name',
      add: type1(`${WIDTHS}${differences('g1')}`),
      state: '3 Tr',
      broken: ['6.2.11.7.2-1'],
    },
    { name: 'a dingbat', add: type1(`${WIDTHS}${differences('a104')}`), state: '3 Tr' },
    {
      name: 'a name of TeX',
      add: type1(`${WIDTHS}${differences('circlecopyrt')}`),
      state: '3 Tr',
      broken: ['6.2.11.7.2-1'],
    },
    { name: 'a symbolic TrueType font', add: trueType('', 4, [[3, 0]]), broken: ['6.2.11.7.2-1'] },
    { name: 'an old name', add: type1(`${WIDTHS}${differences('Aacutesmall')}`), state: '3 Tr' },
  ],
  'pdfua-1': [
    {
      name: 'a standard font',
      add: font('/Type/Font/Subtype/Type1/BaseFont/Helvetica'),
      broken: ['7.21.4.1-1', '7.21.7-1'],
    },
    { name: 'a wrong width', add: type1('/FirstChar 65/LastChar 66/Widths[502 500]'), broken: ['7.21.5-1'] },
    { name: 'no encoding', add: trueType('', 32, [[1, 0]]), broken: ['7.21.6-2'] },
    { name: 'an incomplete /CharSet', add: type1(WIDTHS, { entries: '/CharSet(/A)' }), broken: ['7.21.4.2-1'] },
  ],
}

for (const [profile, cases] of Object.entries(CASES))
  test.each(cases)(`${profile}: $name`, ({ add, broken = [], shown = '(A)', state }) => {
    expect(findBroken(writePage(add, shown, state), profile as ProfileId)).toEqual(broken)
  })

test.each([
  ['<0041>', []],
  ['<0000>', ['6.2.11.7.2-2']],
  ['<FEFF>', ['6.2.11.7.2-2']],
  ['<FFFE>', ['6.2.11.7.2-2']],
])('a code that /ToUnicode maps to %s', (text, broken) => {
  const add: AddFont = pdf => {
    const map = pdf.addStream('', `1 beginbfchar <41> ${text} endbfchar`)
    return type1(`${WIDTHS}/ToUnicode ${map} 0 R`)(pdf)
  }
  expect(findBroken(writePage(add, '(A)'), 'pdfa-2u')).toEqual(broken)
})

test('fonts that show nothing may have any fault', () => {
  expect(findBroken(writePage(font('/Type/Fond'), '%'), 'pdfa-2b')).toEqual([])
  expect(
    findBroken(
      writePage(pdf => pdf.add('null'), '(A)'),
      'pdfa-2b',
    ),
  ).toEqual([])
})
