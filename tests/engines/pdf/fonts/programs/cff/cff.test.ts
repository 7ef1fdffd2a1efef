import { describe, expect, test } from 'vitest'
import { type CffProgram, openCff } from '../../../../../../engines/pdf/fonts/programs/cff/cff'
import { subsetCff } from '../../../../../../engines/pdf/fonts/programs/cff/subset-cff'
import { writeSfnt } from '../../../../../../engines/pdf/fonts/programs/true-type/sfnt'
import { writeCffFixture } from '../../../../../fixtures/cff-writer'
import { boxOf, charstring } from '../../../../../fixtures/charstrings'
import { writeCompositeFontPage, writeSimpleFontPage } from '../../../../../fixtures/font-pages'
import { makeMutants } from '../../../../../fixtures/mutants'
import { compareImages } from '../../../../../support/compare-images'
import { renderPage } from '../../../../../support/reader'

/** The lowest number of a subroutine, in lists of fewer than 1240 subroutines. */
const FIRST = -107

const GLOBAL_SECRET = boxOf(333, 321, 777)
const LOCAL_SECRET = boxOf(271, 281, 828)
const OUTLINE_SECRET = boxOf(161, 803, 398)

/** Three hints, and their mask of one byte. */
const hints = charstring(0, 20, 100, 20, 'hstemhm', 0, 30, 'hintmask', Uint8Array.of(0xe0))

/** Glyphs: 1 A, 2 B, 3 acute, 4 Aacute, 5 a secret, 6 a glyph with hints. */
const named = writeCffFixture({
  glyphs: [
    { key: '.notdef', charstring: charstring(boxOf(0, 600, 20), 'endchar') },
    { key: 'A', charstring: charstring(FIRST, 'callsubr', 'endchar') },
    { key: 'B', charstring: charstring(FIRST + 1, 'callgsubr') },
    { key: 'acute', charstring: charstring(boxOf(100, 90, 80), 'endchar', OUTLINE_SECRET) },
    { key: 'Aacute', charstring: charstring(150, 600, 65, 194, 'endchar') },
    { key: 'secret.one', charstring: charstring(FIRST + 1, 'callsubr', OUTLINE_SECRET, 'endchar') },
    { key: 'hinted', charstring: charstring(hints, FIRST - 20, 22, 'add', 'callsubr', 'endchar') },
  ],
  globalSubrs: [charstring(GLOBAL_SECRET, 'return'), charstring(boxOf(50, 300, 500), 'endchar')],
  localSubrs: [
    [
      charstring(boxOf(20, 400, 700), 'return'),
      charstring(FIRST, 'callgsubr', LOCAL_SECRET, 'return'),
      charstring(boxOf(80, 222, 333), 'return'),
    ],
  ],
  codes: [65, 66, 67, 68, 69, 70],
  supplements: [
    [200, 5],
    [201, 1],
  ],
})

/** Glyphs with the CIDs 10, 20, 30, 40 and 50, in three font DICTs. */
const keyed = writeCffFixture({
  glyphs: [
    { key: 0, charstring: charstring('endchar') },
    { key: 10, charstring: charstring(FIRST, 'callsubr', 'endchar') },
    { key: 20, charstring: charstring(FIRST, 'callsubr', 'endchar'), fd: 1 },
    { key: 30, charstring: charstring(boxOf(0, 500, 250), 'endchar') },
    { key: 40, charstring: charstring(boxOf(0, 250, 500), 'endchar'), fd: 1 },
    { key: 50, charstring: charstring(FIRST, 'callsubr', 'endchar'), fd: 2 },
  ],
  localSubrs: [LOCAL_SECRET, boxOf(0, 444, 300), OUTLINE_SECRET].map(shape => [charstring(shape, 'return')]),
})

function open(bytes: Uint8Array | undefined): CffProgram {
  const program = bytes && openCff(bytes)
  if (!program) throw new Error('the program could not be opened')
  return program
}

const has = (bytes: Uint8Array | undefined, part: Uint8Array | string): boolean =>
  Buffer.from(bytes ?? []).includes(Buffer.from(part))

const asCff = { fileKey: 'FontFile3' } as const

function simplePage(program: Uint8Array | undefined, codes: number[]): Buffer {
  const file = { ...asCff, program: program ?? new Uint8Array() }
  return writeSimpleFontPage({ ...file, subtype: 'Type1', programEntries: '/Subtype/Type1C', codes })
}

function cidPage(program: Uint8Array | undefined, cids: number[]): Buffer {
  const file = { ...asCff, program: program ?? new Uint8Array() }
  return writeCompositeFontPage({ ...file, subtype: 'CIDFontType0', programEntries: '/Subtype/CIDFontType0C', cids })
}

async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const images = [await renderPage(one, 0), await renderPage(other, 0)] as const
  expect(compareImages(images[0], await renderPage(simplePage(named, []), 0))).toBeGreaterThan(0.0003)
  return compareImages(...images)
}

describe('openCff', () => {
  test('reads names, codes and outlines of a program with names', () => {
    const program = open(named)
    expect(program).toMatchObject({ isCid: false, isWrapped: false, glyphCount: 7 })
    expect([0, 1, 5].map(program.nameOf)).toEqual(['.notdef', 'A', 'secret.one'])
    expect(['hinted', 'none'].map(program.glyphOfName)).toEqual([6, undefined])
    expect([65, 70, 200, 201, 71].map(program.glyphOfBuiltInCode)).toEqual([1, 6, 5, 1, undefined])
    expect(program.listOutlines()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('reads the CIDs of a CID-keyed program', () => {
    const program = open(keyed)
    expect(program).toMatchObject({ isCid: true, glyphCount: 6 })
    expect([10, 40, 41].map(program.glyphOfCid)).toEqual([1, 4, undefined])
    expect(program.cidOf(3)).toBe(30)
    expect(program.nameOf(3)).toBeUndefined()
    expect(program.listOutlines()).toEqual([1, 2, 3, 4, 5])
  })

  test('opens the table of an OpenType file, and keeps its units per em', async () => {
    const head = new Uint8Array(54)
    head.set([0x07, 0xd0], 18) // The em has 2000 units.
    const wrapped = writeSfnt(
      0x4f54544f,
      new Map([
        ['CFF ', named],
        ['head', head],
      ]),
    )
    const program = open(wrapped)
    expect(program.isWrapped).toBe(true)
    const cut = subsetCff(program, { glyphs: [1, 2] })
    const matrix = [...open(cut?.bytes).content.top.values()].find(({ key }) => key === 1207)
    expect(matrix?.operands).toEqual([0.0005, 0, 0, 0.0005, 0, 0])
    const bare = subsetCff(open(named), { glyphs: [1, 2] })
    const pages = [cut, bare].map(program => simplePage(program?.bytes, [65, 66])) as [Buffer, Buffer]
    expect(await difference(...pages)).toBeGreaterThan(0.0003)
  })

  test('refuses CFF2, text and empty data', () => {
    const others = [Uint8Array.of(2, 0, 5, 0, 0, 0), Buffer.from('%!PS-AdobeFont'), new Uint8Array()]
    expect(others.map(openCff)).toEqual([undefined, undefined, undefined])
  })
})

describe('cutCff', () => {
  test('shows the kept glyphs as before', async () => {
    const cut = subsetCff(open(named), { glyphs: [6, 4, 2, 1] })
    const codes = [65, 66, 68, 70, 201]
    expect(await difference(simplePage(named, codes), simplePage(cut?.bytes, codes))).toBe(0)
    expect([...(cut?.numbers ?? [])]).toEqual([
      [0, 0],
      [6, 1],
      [4, 2],
      [2, 3],
      [1, 4],
      [3, 5],
    ])
  })

  test('keeps no data of other glyphs', () => {
    const cut = subsetCff(open(named), { glyphs: [6, 4, 2] })
    for (const secret of [GLOBAL_SECRET, LOCAL_SECRET, OUTLINE_SECRET, 'secret.one']) {
      expect([has(named, secret), has(cut?.bytes, secret)]).toEqual([true, false])
    }
    const result = open(cut?.bytes)
    expect(result.glyphOfBuiltInCode(200)).toBeUndefined()
    expect(result.content.parts[0]?.subrs.get(1)).toEqual(Uint8Array.of(11))
    expect(result.content.top.has(13)).toBe(false)
    expect(has(cut?.bytes, 'A notice')).toBe(true)
  })

  test('removes subroutine lists that no glyph uses', () => {
    const result = open(subsetCff(open(named), { glyphs: [3] })?.bytes)
    expect([result.content.globalSubrs.count, result.content.parts[0]?.subrs.count]).toEqual([0, 0])
  })

  test('returns the same bytes whatever the removed glyph was', () => {
    const other = Buffer.from(named)
    for (const secret of [GLOBAL_SECRET, LOCAL_SECRET, OUTLINE_SECRET].map(part => Buffer.from(part))) {
      for (let at = other.indexOf(secret); at >= 0; at = other.indexOf(secret)) other.set(boxOf(444, 555, 666), at)
    }
    other.set(Buffer.from('hidden.two'), other.indexOf('secret.one'))
    expect(subsetCff(open(other), { glyphs: [6, 4, 2] })).toEqual(subsetCff(open(named), { glyphs: [6, 4, 2] }))
  })

  test('empties the .notdef glyph if the document does not show it', () => {
    const cut = subsetCff(open(named), { glyphs: [2], isMissingBlank: true })
    expect(open(cut?.bytes).listOutlines()).toEqual([1])
  })

  test('assigns new names and codes, but keeps those that an accented character needs', async () => {
    const names = new Map([
      [1, 'g1'],
      [4, 'g2'],
      [6, 'g3'],
    ])
    const codes = new Map([
      [1, 4],
      [2, 1],
      [3, 6],
      [4, 1],
      [5, 5],
    ])
    const cut = subsetCff(open(named), { glyphs: [1, 4, 6], names, codes })
    const result = open(cut?.bytes)
    expect([0, 1, 2, 3, 4, 5, 6].map(result.nameOf)).toEqual(['.notdef', 'g1', 'g2', 'g3', 'A', 'acute', undefined])
    expect([1, 2, 3, 4, 5, 65].map(result.glyphOfBuiltInCode)).toEqual([2, 1, 3, 1, undefined, undefined])
    expect(await difference(simplePage(named, [68, 65, 70, 201]), simplePage(cut?.bytes, [1, 2, 3, 4]))).toBe(0)
    expect(subsetCff(open(named), { glyphs: [2, 4], names: new Map([[2, 'acute']]) })).toBeUndefined()
  })

  test('cuts a CID-keyed program and removes unused font DICTs', async () => {
    const cut = subsetCff(open(keyed), { glyphs: [4, 2] })
    const result = open(cut?.bytes)
    expect(result.content.parts.map(({ subrs }) => subrs.count)).toEqual([0, 1])
    expect([20, 40, 10].map(result.glyphOfCid)).toEqual([2, 1, undefined])
    for (const secret of [LOCAL_SECRET, OUTLINE_SECRET]) expect(has(cut?.bytes, secret)).toBe(false)
    expect(await difference(cidPage(keyed, [20, 40]), cidPage(cut?.bytes, [20, 40]))).toBe(0)
  })

  test('assigns new CIDs', async () => {
    const cut = subsetCff(open(keyed), {
      glyphs: [4, 1, 2],
      cids: new Map([
        [4, 1],
        [1, 2],
        [2, 3],
      ]),
    })
    expect(await difference(cidPage(keyed, [40, 10, 20]), cidPage(cut?.bytes, [1, 2, 3]))).toBe(0)
    expect(open(cut?.bytes).content.top.get(1234)?.operands).toEqual([4])
  })

  test('returns nothing if the number of a subroutine is unknown', () => {
    const random = writeCffFixture({
      glyphs: [
        { key: '.notdef', charstring: charstring('endchar') },
        { key: 'A', charstring: charstring('random', 'callsubr', 'endchar') },
      ],
      localSubrs: [[charstring('return')]],
    })
    expect(subsetCff(open(random), { glyphs: [1] })).toBeUndefined()
    expect(subsetCff(open(random), { glyphs: [] })).toBeDefined()
  })

  test('returns nothing if subroutines call themselves', () => {
    const calls = Array.from({ length: 60 }, () => charstring(FIRST, 'callsubr'))
    const looping = writeCffFixture({
      glyphs: [
        { key: '.notdef', charstring: charstring('endchar') },
        { key: 'A', charstring: charstring(...calls, 'endchar') },
      ],
      localSubrs: [[charstring(...calls, 'return')]],
    })
    expect(subsetCff(open(looping), { glyphs: [1] })).toBeUndefined()
    expect(open(looping).listOutlines()).toEqual([1])
  })

  test('returns a program or nothing for damaged bytes', () => {
    let opened = 0
    for (const bytes of [named, keyed]) {
      for (const mutant of makeMutants(bytes, 150)) {
        const program = openCff(mutant)
        if (!program) continue
        opened++
        const outlines = program.listOutlines()
        program.glyphOfName('A')
        const cut = subsetCff(program, { glyphs: outlines })
        if (cut) expect(openCff(cut.bytes)).toBeDefined()
      }
    }
    expect(opened).toBeGreaterThan(20)
  })
})
