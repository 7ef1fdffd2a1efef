import { describe, expect, test } from 'vitest'
import { type CffProgram, openCff } from '../../../../engines/font-programs/cff/cff'
import { openType1 } from '../../../../engines/font-programs/type1/type1'
import { convertType1 } from '../../../../engines/font-programs/type1-to-cff/type1-to-cff'
import { boxOf, charstring } from '../../../fixtures/charstrings'
import { writeSimpleFontPage } from '../../../fixtures/font-pages'
import { makeMutants } from '../../../fixtures/mutants'
import { readPrivatePart, USUAL_SUBRS, withPrivatePart, writeType1Fixture } from '../../../fixtures/type1-writer'
import { renderPage } from '../../../support/reader'
import { readType2 } from '../../../support/type2-program'

type Items = (number | string | Uint8Array)[]

/** Numbers and operators from a text. */
const read = (text: string): Items => text.split(' ').map(word => (/\d/.test(word) ? Number(word) : word))

const start = charstring(0, 600, 'hsbw')
const finish = charstring('closepath', 'endchar')
/** Calls subroutine 4 in place of the hints so far. */
const replaceHints = charstring(4, 1, 3, 'callothersubr', 'pop', 'callsubr')
const move = (x: number, y: number): Uint8Array => charstring(x, y, 'rmoveto', 2, 'callsubr')

/** A flex from the current point: the reference point, and six points by distances. */
const flex = (
  points: readonly (readonly [number, number])[],
  end: readonly [number, number],
  height = 50,
): Uint8Array => charstring(1, 'callsubr', ...points.map(([x, y]) => move(x, y)), height, ...end, 0, 'callsubr')

/** Six points that rise and fall, and the reference point before them. */
const LEVEL: readonly (readonly [number, number])[] = [
  [150, 0],
  [-100, 0],
  [50, 20],
  [50, 0],
  [50, 0],
  [50, -20],
  [50, 0],
]

const subrs = [
  ...USUAL_SUBRS,
  charstring(0, 30, 'hstem', 300, 40, 'vstem', 'return'),
  charstring(boxOf(80, 222, 333), 'return'),
]

const glyphs = {
  '.notdef': charstring(start, 'endchar'),
  // Lines in all directions, and a line back to the start.
  A: charstring(
    start,
    boxOf(20, 400, 700),
    0,
    -700,
    'rlineto',
    'closepath',
    30,
    60,
    'rmoveto',
    90,
    80,
    'rlineto',
    finish,
  ),
  // Curves that turn, that don't, and that do neither.
  B: charstring(
    ...read('50 700 hsbw 10 0 rmoveto 100 50 60 80 hvcurveto 70 -30 60 -90 vhcurveto'),
    ...read('-40 20 -30 10 -20 0 rrcurveto 0 -20 -5 -30 7 -40 rrcurveto'),
    finish,
  ),
  C: charstring(
    start,
    40,
    20,
    'hstem',
    20,
    30,
    'vstem',
    boxOf(20, 100, 200),
    'closepath',
    replaceHints,
    boxOf(90, 300, 400),
    finish,
  ),
  D: charstring(start, ...read('50 100 rmoveto 400 vlineto'), flex(LEVEL, [350, 500]), -400, 'vlineto', finish),
  E: charstring(
    start,
    7,
    2,
    'div',
    50,
    'rmoveto',
    1000,
    3,
    'div',
    'hlineto',
    400,
    'vlineto',
    -200,
    1,
    'div',
    'hlineto',
    finish,
  ),
  F: charstring(60, 80, 700, 0, 'sbw', 0, 20, 'hstem', 10, 20, 'rmoveto', 300, 'hlineto', 400, 'vlineto', finish),
  G: charstring(start, 'dotsection', 5, 'callsubr', 'dotsection', finish),
  acute: charstring(30, 300, 'hsbw', boxOf(100, 90, 80), finish),
  Aacute: charstring(40, 600, 'hsbw', 30, 150, 600, 65, 194, 'seac'),
  'odd.name': charstring(start, boxOf(100, 300, 100), finish),
}
const codes = { 65: 'A', 66: 'B', 67: 'C', 68: 'D', 69: 'E', 70: 'F', 71: 'G', 72: 'Aacute', 90: 'odd.name', 200: 'A' }
const shown = [65, 66, 67, 68, 69, 70, 71, 72, 73, 90, 200]

function convert(source: Uint8Array): { bytes: Uint8Array; program: CffProgram } {
  const opened = openType1(source)
  const bytes = opened && convertType1(opened)
  const program = bytes && openCff(bytes)
  if (!bytes || !program) throw new Error('the program was not converted')
  return { bytes, program }
}

const refuses = (fixture: Partial<Parameters<typeof writeType1Fixture>[0]>): boolean => {
  const opened = openType1(writeType1Fixture({ glyphs, subrs, codes, ...fixture }))
  return opened !== undefined && convertType1(opened) === undefined
}

/** The charstring of a glyph after conversion. */
function convertGlyph(...items: Items): string {
  const source = writeType1Fixture({ glyphs: { '.notdef': glyphs['.notdef'], A: charstring(...items) }, subrs })
  const { program } = convert(source)
  return readType2(program.content.charStrings.get(1))
}

const pageOf = (fileKey: 'FontFile' | 'FontFile3', program: Uint8Array, fontEntries = ''): Buffer =>
  writeSimpleFontPage({
    fileKey,
    program,
    subtype: 'Type1',
    codes: shown,
    fontEntries,
    programEntries: fileKey === 'FontFile3' ? '/Subtype/Type1C' : '',
  })

describe('convertType1', () => {
  const forms = [
    {},
    { form: 'hex' },
    { lenIV: -1 },
    { matrix: '0.001 0 0.0002 0.001 0 0' },
    { matrix: '0.0008 0 0 0.001 0 0' },
    { codes: undefined },
    { entries: '/StrokeWidth 0 def\n' },
  ] as const
  test.each(forms)('keeps every pixel of a program written with %j', async form => {
    const source = writeType1Fixture({ glyphs, subrs, codes, ...form })
    const pages = [pageOf('FontFile', source), pageOf('FontFile3', convert(source).bytes)]
    const [before, after, blank] = await Promise.all(
      [...pages, pageOf('FontFile', writeType1Fixture({ glyphs: { '.notdef': glyphs['.notdef'] } }))].map(page =>
        renderPage(page, 0, { scale: 4 }),
      ),
    )
    expect(after?.pixels.equals(before?.pixels ?? Buffer.of())).toBe(true)
    expect(after?.pixels.equals(blank?.pixels ?? Buffer.of())).toBe(false)
  })

  test('keeps names and the built-in encoding', () => {
    const { program } = convert(writeType1Fixture({ glyphs, subrs, codes: { ...codes, 100: 'missing' } }))
    const names = Array.from({ length: program.glyphCount }, (_, glyph) => program.nameOf(glyph))
    expect(new Set(names)).toEqual(new Set(Object.keys(glyphs)))
    expect(names[0]).toBe('.notdef')
    const found = Array.from({ length: 256 }, (_, code) => program.glyphOfBuiltInCode(code)).flatMap((glyph, code) =>
      glyph === undefined ? [] : [[code, program.nameOf(glyph)]],
    )
    expect(found).toEqual(Object.entries(codes).map(([code, name]) => [Number(code), name]))
  })

  test('keeps the standard encoding without a table', () => {
    const { program } = convert(writeType1Fixture({ glyphs, subrs }))
    expect(program.content.encodingAt).toBe(0)
    expect(program.nameOf(program.glyphOfBuiltInCode(194) ?? 0)).toBe('acute')
  })

  test('keeps the dictionaries', () => {
    const privateEntries = `/BlueValues [-20 0 500 515] def /OtherBlues [-210 -200] def /BlueScale 0.04379 def
/BlueShift 7 def /StdHW [31] def /StemSnapV [69.5 89] def /ForceBold true def /LanguageGroup 1 def /ExpansionFactor 1e999 def\n`
    const entries = '/FontInfo 2 dict dup begin /Weight (Bo\\(l\\)d \\101) def /ItalicAngle -9.5 def end def\n'
    const source = writeType1Fixture({ glyphs, subrs, codes, privateEntries, entries })
    const hidden = readPrivatePart(source).toString('latin1').replace('/BlueValues [] def', '')
    const { content } = convert(withPrivatePart(source, Buffer.from(hidden, 'latin1'))).program
    const of = (dict: ReadonlyMap<number, { operands: number[] }> | undefined) =>
      Object.fromEntries([...(dict ?? [])].map(([key, { operands }]) => [key, operands]))
    expect(of(content.parts[0]?.dict)).toMatchObject({
      6: [-20, 20, 500, 15],
      7: [-210, 10],
      10: [31],
      1209: [0.04379],
      1213: [69.5, 19.5],
      1214: [1],
      1217: [1],
    })
    // A usual value and one that can't be written.
    expect([1210, 1218].some(key => content.parts[0]?.dict.has(key))).toBe(false)
    expect(of(content.top)).toMatchObject({ 5: [-200, -300, 1200, 1000], 1202: [-9.5] })
    const texts = [1, 2, 4].map(key => content.stringOf(content.top.get(key)?.operands[0] ?? 0))
    expect(texts).toEqual(['A notice', 'Fixture', 'Bo(l)d A'])
    expect(Buffer.from(content.name).toString()).toBe('Fixture')
  })

  test('writes hints as sorted lists, and masks where they change', () => {
    const hints = charstring(500, 20, 'hstem', -10, 20, 'hstem', 100, -30, 'vstem')
    expect(convertGlyph(10, 600, 'hsbw', hints, boxOf(20, 400, 700), finish)).toBe(
      '-10 20 490 20 hstem 80 30 vstem 30 hmoveto 400 700 -400 hlineto endchar',
    )
    const first = charstring(0, 20, 50, 20, 100, 20, 'vstem3')
    expect(convertGlyph(start, first, boxOf(20, 400, 700), 'closepath', replaceHints, boxOf(7, 50, 9), finish)).toBe(
      '0 30 hstemhm 0 20 30 20 30 20 180 40 hintmask 01110 20 hmoveto 400 700 -400 hlineto ' +
        'hintmask 10001 7 hmoveto 50 9 -50 hlineto endchar',
    )
    expect(convertGlyph(start, 700, -20, 'hstem', 300, -21, 'hstem', boxOf(20, 4, 7), finish)).toBe(
      '300 -21 421 -20 hstem 20 hmoveto 4 7 -4 hlineto endchar',
    )
  })

  test.each([
    ['moves in a row', [10, 20, 'rmoveto', -10, 'hmoveto', 5, 'hlineto'], '20 vmoveto 5 hlineto'],
    ['turning lines', [0, 'hmoveto', 5, 'vlineto', 6, 'hlineto', 7, 8, 'rlineto'], '0 hmoveto 5 6 vlineto 7 8 rlineto'],
    [
      'a line and a curve',
      [0, 'hmoveto', 1, 2, 'rlineto', 1, 2, 3, 4, 5, 6, 'rrcurveto'],
      '0 hmoveto 1 2 1 2 3 4 5 6 rlinecurve',
    ],
    [
      'a curve and a line',
      [0, 'hmoveto', 1, 2, 3, 4, 5, 6, 'rrcurveto', 1, 2, 'rlineto'],
      '0 hmoveto 1 2 3 4 5 6 1 2 rcurveline',
    ],
    [
      'curves that turn',
      [0, 'hmoveto', 1, 2, 3, 4, 'hvcurveto', 5, 6, 7, 8, 'vhcurveto', 1, 0, 2, 3, 4, 5, 'rrcurveto'],
      '0 hmoveto 1 2 3 4 5 6 7 8 1 2 3 5 4 hvcurveto',
    ],
    [
      'curves that go on',
      [0, 'hmoveto', 1, 9, 2, 3, 4, 0, 'rrcurveto', 1, 0, 2, 3, 4, 0, 'rrcurveto'],
      '0 hmoveto 9 1 2 3 4 1 2 3 4 hhcurveto',
    ],
    ['a fraction', [7, 2, 'div', 'hmoveto', 5, 'vlineto', 3, 'hlineto'], '3.5 hmoveto 5 3 vlineto'],
  ] as const)('writes %s in a short form', (_, drawn, expected) => {
    expect(convertGlyph(start, ...drawn, finish)).toBe(`${expected} endchar`)
  })

  const shift = (points: typeof LEVEL, index: number, by: [number, number]) =>
    points.map(([x, y], number): [number, number] => (number === index ? [x + by[0], y + by[1]] : [x, y]))
  test.each([
    ['hflex', LEVEL, [300, 0], 50, '50 50 20 50 50 50 50 hflex'],
    ['flex', LEVEL, [300, 0], 60, '50 0 50 20 50 0 50 0 50 -20 50 0 60 flex'],
    ['hflex1', shift(shift(LEVEL, 1, [0, 5]), 2, [0, -5]), [300, 0], 50, '50 5 50 15 50 50 50 -20 50 hflex1'],
    ['flex1', shift(shift(LEVEL, 3, [0, 1]), 4, [0, -1]), [300, 0], 50, '50 0 50 20 50 1 50 -1 50 -20 50 flex1'],
  ] as const)('writes %s for a flex', (_, points, end, height, expected) => {
    const drawn = [start, 0, 'hmoveto', flex(points, end, height), 9, 'vlineto', finish]
    expect(convertGlyph(...drawn)).toBe(`0 hmoveto ${expected} 9 vlineto endchar`)
  })

  test('states widths in few bytes', () => {
    const widths = [500, 500, 500, 500, 500, 700, 720, 740, 760, 780]
    const names = widths.map((_, index) => (index === 0 ? '.notdef' : `g${index}`))
    const wide = names.map((name, index) => [name, charstring(0, widths[index] ?? 0, 'hsbw', 'endchar')] as const)
    const { content } = convert(writeType1Fixture({ glyphs: Object.fromEntries(wide) })).program
    const programs = names.map((_, glyph) => content.charStrings.get(glyph))
    expect(programs.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    const [standard, nominal = 0] = [20, 21].map(key => content.parts[0]?.dict.get(key)?.operands[0])
    expect(standard).toBe(500)
    const stated = programs.slice(5).map(bytes => Number.parseFloat(readType2(bytes)) + nominal)
    expect(stated).toEqual(widths.slice(5))
  })

  const bad = (...items: Items) => ({ glyphs: { ...glyphs, A: charstring(start, ...items) } })
  const box = boxOf(10, 20, 30)
  test.each([
    ['an unknown procedure', bad(1, 1, 14, 'callothersubr', 'pop', 'hmoveto', box, finish)],
    ['a calculation with an unknown procedure', bad(5, 2, 2, 24, 'callothersubr', box, finish)],
    ['numbers left over', bad(1, 2, 3, 'rmoveto', 5, 'hlineto', finish)],
    ['too few numbers', bad(2, 'rmoveto', 5, 'hlineto', finish)],
    ['a result that nothing left', bad('pop', 'hmoveto', box, finish)],
    ['a division by zero', bad(2, 0, 'div', 'hmoveto', box, finish)],
    ['a reserved operator', bad(Uint8Array.of(15), box, finish)],
    ['a subpath that is open', bad(box, 'endchar')],
    ['a line without a move', bad(box, 'closepath', 5, 'hlineto', finish)],
    ['no end', bad(box, 'closepath')],
    ['no width', { glyphs: { ...glyphs, A: charstring(box, finish) } }],
    ['a vertical width', { glyphs: { ...glyphs, A: charstring(0, 0, 600, 500, 'sbw', box, finish) } }],
    ['another current point', bad(10, 'hmoveto', 5, 'hlineto', 9, 9, 'setcurrentpoint', 5, 'vlineto', finish)],
    ['an unfinished flex', bad(0, 'hmoveto', 1, 'callsubr', move(1, 1), move(2, 2), 50, 3, 3, 0, 'callsubr', finish)],
    ['an unknown subroutine', bad(99, 'callsubr', finish)],
    ['a composed character without its parts', bad(0, 10, 10, 66, 193, 'seac')],
    [
      'a composed character of composed characters',
      {
        codes: undefined,
        glyphs: {
          ...glyphs,
          B: charstring(start, 0, 1, 1, 65, 194, 'seac'),
          C: charstring(start, 0, 1, 1, 66, 194, 'seac'),
        },
      },
    ],
    [
      'more hints than fit',
      bad(...Array.from({ length: 24 }, (_, at) => charstring(at * 40, 20, 'hstem')), box, finish),
    ],
    ['stroked outlines', { entries: '/PaintType 2 def\n' }],
    ['several masters', { entries: '/WeightVector [0.5 0.5] def\n' }],
    ['widths beside the charstrings', { entries: '/Metrics 1 dict dup begin /A 600 def end def\n' }],
    ['a matrix that moves', { matrix: '0.001 0 0 0.001 0 0.1' }],
    ['a matrix that scales', { matrix: '0.0005 0 0 0.0005 0 0' }],
    ['two values for one key', { privateEntries: '/BlueFuzz 1 def /BlueFuzz 2 def\n' }],
    ['an odd number of blue values', { privateEntries: '/FamilyBlues [1 2 3] def\n' }],
  ] as const)('refuses a program with %s', (_, fixture) => {
    expect(refuses({})).toBe(false)
    expect(refuses(fixture as Parameters<typeof refuses>[0])).toBe(true)
  })

  test('refuses a program whose encoding is unknown', () => {
    const text = writeType1Fixture({ glyphs, subrs }).toString('latin1')
    const opened = openType1(Buffer.from(text.replace('StandardEncoding def', 'ISOLatin1Encoding def'), 'latin1'))
    expect(opened && convertType1(opened)).toBeUndefined()
    expect(opened).toBeDefined()
  })

  test('stops at subroutines that multiply', () => {
    const calls = (number: number): Items => Array.from({ length: 60 }, () => charstring(number, 'callsubr'))
    const many = Array.from({ length: 9 }, (_, index) => charstring(...calls(index + 1), 'return'))
    const drawing = charstring(1, 'hlineto', 'return')
    const source = {
      glyphs: { '.notdef': glyphs['.notdef'], A: charstring(start, 0, 'hmoveto', 0, 'callsubr', finish) },
    }
    expect(refuses({ ...source, codes: undefined, subrs: [...many, drawing] })).toBe(true)
    expect(refuses({ ...source, codes: undefined, subrs: [...many, charstring('return')] })).toBe(true)
  })

  test('returns a program or nothing for damaged bytes', () => {
    const clear = writeType1Fixture({ glyphs, subrs, codes, lenIV: -1 })
    const whole = [...makeMutants(clear, 150)]
    const inside = [...makeMutants(readPrivatePart(clear), 400)].map(hidden => withPrivatePart(clear, hidden))
    let [opened, converted] = [0, 0]
    for (const mutant of [...whole, ...inside]) {
      const program = openType1(mutant)
      if (!program) continue
      opened++
      const bytes = convertType1(program)
      if (!bytes) continue
      converted++
      expect(openCff(bytes)?.listOutlines()).toBeDefined()
    }
    expect(opened).toBeGreaterThan(100)
    expect(converted).toBeGreaterThan(20)
    expect(opened - converted).toBeGreaterThan(20)
  })
})
