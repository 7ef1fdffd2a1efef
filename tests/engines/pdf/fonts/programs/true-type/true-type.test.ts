import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { subsetTrueType } from '../../../../../../engines/pdf/fonts/programs/true-type/subset-true-type'
import { readSfntTables, writeSfnt } from '../../../../../../engines/pdf/fonts/programs/true-type/sfnt'
import { openTrueType, type TrueTypeProgram } from '../../../../../../engines/pdf/fonts/programs/true-type/true-type'
import { writeCmap } from '../../../../../../engines/pdf/fonts/programs/true-type/write-cmap'
import { findPackageFile } from '../../../../../../engines/installed-package'
import { openSubsetter } from '../../../../../../engines/pdf/text/subset'
import { writeCompositeFontPage, writeSimpleFontPage } from '../../../../../fixtures/font-pages'
import { makeMutants } from '../../../../../fixtures/mutants'
import { compareImages } from '../../../../../support/compare-images'
import { renderPage } from '../../../../../support/reader'

const TINOS = readFile(findPackageFile('@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf'))
const KEPT = 'Hér stendur öll æfingin'
const REMOVED = 'QXZ@&%Ü$7ñ'

const open = (bytes: Uint8Array): TrueTypeProgram => {
  const program = openTrueType(bytes)
  if (!program) throw new Error('the program could not be opened')
  return program
}

const winAnsi = { isSymbolic: false, base: 'WinAnsiEncoding' }
const nameOf = (code: number): string => `uni${code.toString(16).toUpperCase().padStart(4, '0')}`
const codesOf = (text: string): number[] => [...Buffer.from(text, 'latin1')]

function glyphOf(program: TrueTypeProgram, code: number): number {
  return program.glyphOfCode(code, { ...winAnsi, glyphName: nameOf(code) })
}

const glyphsOf = (program: TrueTypeProgram, text: string): number[] =>
  [...new Set(codesOf(text))].map(code => glyphOf(program, code))

/** The glyph of each character code. In Latin-1, the code is also the character's number. */
const mapOf = (program: TrueTypeProgram, text: string): Map<number, number> =>
  new Map(codesOf(text).map(code => [code, glyphOf(program, code)] as const))

const asTrueType = { subtype: 'TrueType', fileKey: 'FontFile2' } as const
const asComposite = { subtype: 'CIDFontType2', fileKey: 'FontFile2', fontEntries: '/CIDToGIDMap/Identity' } as const
const inWinAnsi = { ...asTrueType, isSymbolic: false, fontEntries: '/Encoding/WinAnsiEncoding' } as const

async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const blank = await renderPage(writeSimpleFontPage({ ...asTrueType, program: await TINOS, codes: [] }), 0)
  const images = [await renderPage(one, 0), await renderPage(other, 0)] as const
  expect(compareImages(images[0], blank)).toBeGreaterThan(0.005)
  return compareImages(...images)
}

describe('cutTrueType', () => {
  test('shows the kept text as before, through codes in a new cmap', async () => {
    const bytes = await TINOS
    const program = open(bytes)
    const glyphs = glyphsOf(program, KEPT).toReversed()
    const cut = subsetTrueType(program, { glyphs, codes: mapOf(program, KEPT) })
    const before = writeSimpleFontPage({ ...inWinAnsi, program: bytes, codes: codesOf(KEPT) })
    const after = writeSimpleFontPage({ ...asTrueType, program: cut?.bytes ?? new Uint8Array(), codes: codesOf(KEPT) })
    expect(await difference(before, after)).toBe(0)
  })

  test('shows the kept text as before, through Unicode', async () => {
    const bytes = await TINOS
    const program = open(bytes)
    const cut = subsetTrueType(program, { glyphs: glyphsOf(program, KEPT), unicodes: mapOf(program, KEPT) })
    const before = writeSimpleFontPage({ ...inWinAnsi, program: bytes, codes: codesOf(KEPT) })
    const after = writeSimpleFontPage({ ...inWinAnsi, program: cut?.bytes ?? new Uint8Array(), codes: codesOf(KEPT) })
    expect(await difference(before, after)).toBe(0)
  })

  test('keeps a subset of a composite font, with new glyph numbers', async () => {
    const whole = await TINOS
    const glyphs = glyphsOf(open(whole), KEPT)
    const subset = (await openSubsetter())(new Uint8Array(whole))([...glyphs, ...glyphsOf(open(whole), REMOVED)], {})
    const cut = subsetTrueType(open(subset), { glyphs: glyphs.toSorted((one, other) => (one % 7) - (other % 7)) })
    const before = writeCompositeFontPage({ ...asComposite, program: subset, cids: glyphs })
    const numbers = glyphs.map(glyph => cut?.numbers.get(glyph) ?? 0)
    const after = writeCompositeFontPage({ ...asComposite, program: cut?.bytes ?? new Uint8Array(), cids: numbers })
    expect(await difference(before, after)).toBe(0)
  })

  test('keeps no data of other glyphs', async () => {
    const program = open(await TINOS)
    const cut = subsetTrueType(program, { glyphs: glyphsOf(program, KEPT) })
    const file = Buffer.from(cut?.bytes ?? [])
    const gone = glyphsOf(program, REMOVED).map(glyph => Buffer.from(program.outlines.read(glyph)?.bytes ?? []))
    for (const outline of gone.filter(outline => outline.length > 0)) {
      expect(Buffer.from(await TINOS).includes(outline.subarray(10))).toBe(true)
      expect(file.includes(outline.subarray(10))).toBe(false)
    }
    const result = open(cut?.bytes ?? new Uint8Array())
    expect(result.glyphCount).toBe(cut?.numbers.size)
    const tags = [...result.tables.keys()].join(' ')
    expect(tags).toBe('cvt  fpgm gasp glyf head hhea hmtx loca maxp post prep')
    expect(result.tables.get('hmtx')).toHaveLength(result.glyphCount * 4)
    expect(result.tables.get('post')).toHaveLength(32)
  })

  test('numbers glyphs in the given order, with .notdef first and components last', async () => {
    const program = open(await TINOS)
    const [z = 0, accented = 0, a = 0] = glyphsOf(program, 'zéa')
    const cut = subsetTrueType(program, { glyphs: [z, accented, a, z, 70_000, -1] })
    expect([...(cut?.numbers.keys() ?? [])].slice(0, 4)).toEqual([0, z, accented, a])
    const components = program.outlines.read(accented)?.components.map(({ glyph }) => glyph) ?? []
    expect(components).toHaveLength(2)
    expect([...(cut?.numbers.keys() ?? [])].slice(4)).toEqual(components)
    const after = open(cut?.bytes ?? new Uint8Array())
    const numbers = components.map(glyph => cut?.numbers.get(glyph))
    expect(after.outlines.read(2)?.components.map(({ glyph }) => glyph)).toEqual(numbers)
  })

  test('returns the same bytes for the same request, whatever other glyphs the source had', async () => {
    const whole = await TINOS
    const glyphs = glyphsOf(open(whole), KEPT)
    const subset = (await openSubsetter())(new Uint8Array(whole))
    const [short, long] = [subset([...glyphs], {}), subset([...glyphs, ...glyphsOf(open(whole), REMOVED)], {})]
    expect(short.length).toBeLessThan(long.length)
    expect(subsetTrueType(open(long), { glyphs })).toEqual(subsetTrueType(open(short), { glyphs }))
  })

  test('empties the .notdef glyph if the document does not show it', async () => {
    const program = open(await TINOS)
    const [whole, blank] = [false, true].map(isMissingBlank =>
      subsetTrueType(program, { glyphs: [40], isMissingBlank }),
    )
    expect([whole, blank].map(cut => open(cut?.bytes ?? new Uint8Array()).listOutlines())).toEqual([[0, 1], [1]])
    expect(
      open(blank?.bytes ?? new Uint8Array())
        .tables.get('hmtx')
        ?.subarray(0, 4),
    ).toEqual(new Uint8Array(4))
  })

  test('keeps the metrics of vertical writing', async () => {
    const path = findPackageFile('@fontsource-variable/noto-sans-jp/files/noto-sans-jp-119-wght-normal.ttf')
    const program = open(await readFile(path))
    const glyphs = program.listOutlines().slice(5, 9)
    const cut = subsetTrueType(program, { glyphs })
    expect(program.tables.get('vmtx')).toBeDefined()
    expect(open(cut?.bytes ?? new Uint8Array()).tables.get('vmtx')).toHaveLength((glyphs.length + 1) * 4)
  })
})

describe('glyphOfCode', () => {
  const withCmap = async (cmap: Uint8Array | undefined, leftOut: string[] = []): Promise<TrueTypeProgram> => {
    const tables = new Map([...readSfntTables(await TINOS)].filter(([tag]) => tag !== 'cmap' && !leftOut.includes(tag)))
    if (cmap) tables.set('cmap', cmap)
    return open(writeSfnt(0x00010000, tables))
  }
  const symbolic = { isSymbolic: true }

  test('reads a symbolic font by character code', async () => {
    const program = await withCmap(
      writeCmap({
        codes: new Map([
          [65, 40],
          [66, 300],
        ]),
      }),
    )
    expect([65, 66, 67].map(code => program.glyphOfCode(code, symbolic))).toEqual([40, 300, 0])
  })

  test('uses the code as glyph number if there is no cmap', async () => {
    expect((await withCmap(undefined)).glyphOfCode(65, symbolic)).toBe(65)
  })

  test('falls back to Unicode for a symbolic font that has no other cmap', async () => {
    const program = await withCmap(writeCmap({ unicodes: new Map([[65, 41]]) }))
    expect(program.glyphOfCode(65, symbolic)).toBe(41)
  })

  test('reads a nonsymbolic font by name, through MacRoman, and through the post table', async () => {
    const mac = await withCmap(writeCmap({ codes: new Map([[0x8e, 51]]) }))
    expect(mac.glyphOfCode(0xe9, { ...winAnsi, glyphName: 'eacute' })).toBe(51)
    const unicode = await withCmap(
      writeCmap({
        unicodes: new Map([
          [0xe9, 52],
          [0x416, 53],
          [0x2126, 54],
        ]),
      }),
    )
    const names = ['eacute', 'uni00E9', 'afii10024', 'Omega', 'eacute.sc']
    expect(names.map(glyphName => unicode.glyphOfCode(1, { ...winAnsi, glyphName }))).toEqual([52, 52, 53, 54, 52])
    expect(unicode.glyphOfCode(1, { ...winAnsi, glyphName: 'A' })).toBe(glyphsOf(open(await TINOS), 'A')[0])
    expect((await withCmap(undefined, ['post'])).glyphOfCode(1, { ...winAnsi, glyphName: 'A' })).toBe(0)
  })
})

describe('openTrueType', () => {
  test('refuses collections, CFF outlines and text', () => {
    for (const start of ['ttcf', 'OTTO', '%!PS', '']) {
      expect(openTrueType(Buffer.from(start.padEnd(200, '\0')))).toBeUndefined()
    }
  })

  test('refuses outlines beyond the glyf table', async () => {
    const tables = new Map(readSfntTables(await TINOS))
    tables.set('glyf', tables.get('glyf')?.subarray(0, 2000) ?? new Uint8Array())
    expect(openTrueType(writeSfnt(0x00010000, tables))).toBeUndefined()
  })

  test('returns a program or nothing for damaged bytes', async () => {
    const whole = await TINOS
    const subset = (await openSubsetter())(new Uint8Array(whole))(glyphsOf(open(whole), KEPT + REMOVED), {})
    let opened = 0
    for (const mutant of makeMutants(subset, 200)) {
      const program = openTrueType(mutant)
      if (!program) continue
      opened++
      const outlines = program.listOutlines()
      for (let code = 0; code < 256; code++) program.glyphOfCode(code, { ...winAnsi, glyphName: 'A' })
      const cut = subsetTrueType(program, { glyphs: outlines })
      if (cut) expect(openTrueType(cut.bytes)?.glyphCount).toBe(cut.numbers.size)
    }
    expect(opened).toBeGreaterThan(20)
  })
})
