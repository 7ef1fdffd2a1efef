import { describe, expect, test } from 'vitest'
import { subsetType1, type Type1Subset } from '../../../../../../engines/pdf/fonts/programs/type1/subset-type1'
import { openType1, type Type1Program } from '../../../../../../engines/pdf/fonts/programs/type1/type1'
import { boxOf, charstring } from '../../../../../fixtures/charstrings'
import { writeSimpleFontPage } from '../../../../../fixtures/font-pages'
import { makeMutants } from '../../../../../fixtures/mutants'
import { readPrivatePart, USUAL_SUBRS, withPrivatePart, writeType1Fixture } from '../../../../../fixtures/type1-writer'
import { compareImages } from '../../../../../support/compare-images'
import { renderPage } from '../../../../../support/reader'

const start = charstring(0, 600, 'hsbw')
/** Calls subroutine 5 in place of the original hints. */
const replaceHints = charstring(5, 1, 3, 'callothersubr', 'pop', 'callsubr')
const SECRET = boxOf(333, 321, 777)
const SUBR_SECRET = boxOf(271, 281, 828)
const BEHIND_END = boxOf(161, 803, 398)

const glyphs = {
  '.notdef': charstring(start, 'endchar'),
  A: charstring(start, 4, 'callsubr', 'closepath', 'endchar'),
  B: charstring(start, replaceHints, boxOf(10, 500, 400), 'closepath', 'endchar', BEHIND_END),
  acute: charstring(start, boxOf(100, 90, 80), 'closepath', 'endchar'),
  Aacute: charstring(start, 0, 150, 600, 65, 194, 'seac'),
  'secret.one': charstring(start, SECRET, 6, 'callsubr', 'closepath', 'endchar'),
  last: charstring(start, 14, 2, 'div', 'callsubr', 'closepath', 'endchar'),
}
const subrs = [
  ...USUAL_SUBRS,
  charstring(boxOf(20, 400, 700), 'return'),
  charstring(0, 20, 'hstem', 'return'),
  charstring(SUBR_SECRET, 'return'),
  charstring(boxOf(80, 222, 333), 'return'),
  charstring(SUBR_SECRET, 'return'),
]
const codes = { 65: 'A', 66: 'B', 67: 'acute', 68: 'Aacute', 69: 'secret.one', 70: 'last' }
const forms = [{ form: 'hex' }, { form: 'pfb' }, { lenIV: 0 }, { lenIV: -1 }] as const
const plain = writeType1Fixture({ glyphs, subrs, codes })

function open(bytes: Uint8Array | undefined): Type1Program {
  const program = bytes && openType1(bytes)
  if (!program) throw new Error('the program could not be opened')
  return program
}

/** Returns the program with its three lengths, as a stream dictionary has them. */
function pageOf(bytes: Uint8Array | undefined, shown: readonly number[], cut?: Type1Subset): Buffer {
  const programEntries = cut ? `/Length1 ${cut.length1}/Length2 ${cut.length2}/Length3 ${cut.length3}` : ''
  const file = { fileKey: 'FontFile', program: bytes ?? new Uint8Array(), programEntries } as const
  return writeSimpleFontPage({ ...file, subtype: 'Type1', codes: shown })
}

async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const images = [await renderPage(one, 0), await renderPage(other, 0)] as const
  expect(compareImages(images[0], await renderPage(pageOf(plain, []), 0))).toBeGreaterThan(0.0003)
  return compareImages(...images)
}

describe('openType1', () => {
  test.each([...forms, { form: 'binary' }, { lenIV: 1 }] as const)('opens a program written with %j', form => {
    const program = open(writeType1Fixture({ glyphs, subrs, codes, ...form }))
    expect(program.names).toEqual(Object.keys(glyphs))
    expect([...program.encoding]).toEqual(Object.entries(codes).map(([code, name]) => [Number(code), name]))
    expect(program.listOutlines()).toEqual(['A', 'B', 'acute', 'Aacute', 'secret.one', 'last'])
    expect(program.content.hidden.charStrings.get('A')).toEqual(glyphs.A)
    expect(program.content.hidden.subrs.get(6)).toEqual(subrs[6])
  })

  test('knows the standard encoding', () => {
    const program = open(writeType1Fixture({ glyphs, subrs }))
    expect(program.isStandardEncoding).toBe(true)
    expect([65, 194].map(code => program.encoding.get(code))).toEqual(['A', 'acute'])
  })

  test('refuses other formats, truncated programs and programs with two lists of charstrings', () => {
    const text = Buffer.from(plain.toString('latin1').replace('eexec', 'exec'), 'latin1')
    const others = [text, plain.subarray(0, plain.length - 1200), new Uint8Array(), Buffer.from('OTTO')]
    expect(others.map(openType1)).toEqual(others.map(() => undefined))
    const hidden = readPrivatePart(plain)
    const end = hidden.indexOf('mark currentfile closefile')
    const again = Buffer.from('2 index /CharStrings 1 dict dup begin\n')
    const twice = Buffer.concat([hidden.subarray(0, end), again, hidden.subarray(end)])
    expect(openType1(withPrivatePart(plain, hidden))).toBeDefined()
    expect(openType1(withPrivatePart(plain, twice))).toBeUndefined()
  })
})

describe('cutType1', () => {
  test('shows the kept glyphs as before', async () => {
    const cut = subsetType1(open(plain), { names: ['last', 'Aacute', 'B'] })
    expect(open(cut?.bytes).names).toEqual(['.notdef', 'last', 'Aacute', 'B', 'A', 'acute'])
    const shown = [66, 68, 70, 65]
    expect(await difference(pageOf(plain, shown), pageOf(cut?.bytes, shown, cut))).toBe(0)
    expect(cut?.bytes).toHaveLength((cut?.length1 ?? 0) + (cut?.length2 ?? 0) + (cut?.length3 ?? 0))
  })

  test.each(forms)('cuts a program written with %j', async form => {
    const cut = subsetType1(open(writeType1Fixture({ glyphs, subrs, codes, ...form })), { names: ['A', 'B'] })
    const lenIV = 'lenIV' in form ? form.lenIV : 4
    const { hidden } = open(cut?.bytes).content
    expect(hidden.lenIV).toBe(lenIV)
    const withoutRest = glyphs.B.subarray(0, -BEHIND_END.length)
    expect([...hidden.charStrings.values()]).toEqual([glyphs['.notdef'], glyphs.A, withoutRest])
    expect(await difference(pageOf(plain, [65, 66]), pageOf(cut?.bytes, [65, 66], cut))).toBe(0)
  })

  test('keeps no data of other glyphs', () => {
    const source = writeType1Fixture({ glyphs, subrs, codes, lenIV: -1 })
    const cut = subsetType1(open(source), { names: ['last', 'B'] })
    const texts = [source, cut?.bytes ?? new Uint8Array()].map(bytes => Buffer.concat([bytes, readPrivatePart(bytes)]))
    for (const secret of [SECRET, SUBR_SECRET, BEHIND_END, 'secret', '/A ', '/UniqueID'])
      expect(
        texts.map(text => text.includes(Buffer.from(secret))),
        String(secret),
      ).toEqual([true, false])
    expect(texts[1]?.includes('A notice')).toBe(true)
    const { hidden, encoding } = open(cut?.bytes).content
    expect([...(encoding?.names.values() ?? [])]).toEqual(['B', 'last'])
    const empty = Uint8Array.of(11)
    expect([...hidden.subrs.values()]).toEqual([...USUAL_SUBRS, empty, subrs[5], empty, subrs[7]])
  })

  test('returns the same bytes whatever the removed glyph was', () => {
    const { 'secret.one': _, ...others } = glyphs
    const subrsWithout = subrs.map((subr, number) => (number === 6 || number === 8 ? charstring('return') : subr))
    const { 69: __, ...codesWithout } = codes
    const without = writeType1Fixture({ glyphs: others, subrs: subrsWithout, codes: codesWithout })
    expect(subsetType1(open(without), { names: ['last', 'B'] })).toEqual(
      subsetType1(open(plain), { names: ['last', 'B'] }),
    )
  })

  test('empties the .notdef glyph if the document does not show it', () => {
    const shown = { ...glyphs, '.notdef': charstring(start, SECRET, 'endchar') }
    const boxed = open(writeType1Fixture({ glyphs: shown, subrs }))
    const cuts = [false, true].map(isMissingBlank => subsetType1(boxed, { names: ['A'], isMissingBlank }))
    expect(cuts.map(cut => open(cut?.bytes).listOutlines())).toEqual([['.notdef', 'A'], ['A']])
  })

  test('does not keep outlines that a program stores as its first subroutines', () => {
    const calling = { '.notdef': glyphs['.notdef'], A: charstring(start, 0, 'callsubr', 'endchar') }
    const odd = open(writeType1Fixture({ glyphs: calling, subrs: [charstring(SECRET, 'return')], lenIV: -1 }))
    const cuts = [subsetType1(odd, { names: [] }), subsetType1(odd, { names: ['A'] })]
    const parts = cuts.map(cut => readPrivatePart(cut?.bytes ?? new Uint8Array()))
    expect(parts.map(part => part.includes(Buffer.from(SECRET)))).toEqual([false, true])
  })

  test('assigns new names and codes, but keeps those that an accented character needs', async () => {
    const renamed = new Map([
      ['A', 'g1'],
      ['Aacute', 'g2'],
      ['last', 'g3'],
    ])
    const newCodes = new Map([
      [3, 'last'],
      [1, 'Aacute'],
      [2, 'A'],
      [4, 'B'],
    ])
    const cut = subsetType1(open(plain), { names: ['A', 'Aacute', 'last'], renamed, codes: newCodes })
    const result = open(cut?.bytes)
    expect(result.names).toEqual(['.notdef', 'g1', 'g2', 'g3', 'A', 'acute'])
    expect([...result.encoding]).toEqual([
      [1, 'g2'],
      [2, 'g1'],
      [3, 'g3'],
    ])
    expect(await difference(pageOf(plain, [68, 65, 70]), pageOf(cut?.bytes, [1, 2, 3], cut))).toBe(0)
    const taken = new Map([['B', 'acute']])
    expect(subsetType1(open(plain), { names: ['B', 'Aacute'], renamed: taken })).toBeUndefined()
  })

  test('keeps the standard encoding', async () => {
    const standard = writeType1Fixture({ glyphs, subrs })
    const cut = subsetType1(open(standard), { names: ['A', 'B'] })
    expect(open(cut?.bytes).isStandardEncoding).toBe(true)
    expect(await difference(pageOf(standard, [65, 66]), pageOf(cut?.bytes, [65, 66], cut))).toBe(0)
  })

  test('returns nothing if a subroutine is unknown', () => {
    const calling = { A: charstring(start, 'pop', 'callsubr', 'endchar'), B: charstring(start, 9, 'callsubr') }
    const odd = open(writeType1Fixture({ glyphs: { '.notdef': glyphs['.notdef'], ...calling } }))
    expect(subsetType1(odd, { names: ['A'] })).toBeUndefined()
    expect(subsetType1(odd, { names: ['B'] })).toBeUndefined()
    expect(subsetType1(odd, { names: ['C'] })).toBeDefined()
  })

  test('returns a program or nothing for damaged bytes', () => {
    let opened = 0
    const clear = writeType1Fixture({ glyphs, subrs, codes, lenIV: -1 })
    const whole = [...makeMutants(plain, 60)]
    const inside = [...makeMutants(readPrivatePart(clear), 140)].map(hidden => withPrivatePart(clear, hidden))
    for (const mutant of [...whole, ...inside]) {
      const program = openType1(mutant)
      if (!program) continue
      opened++
      const cut = subsetType1(program, { names: program.listOutlines(), codes: program.encoding })
      if (cut) expect(openType1(cut.bytes)).toBeDefined()
    }
    expect(opened).toBeGreaterThan(20)
  })
})
