import { readFileSync } from 'node:fs'
import { PDFName } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { Fonts } from '../../../../engines/pdf/fonts/fonts'
import type { Font } from '../../../../engines/pdf/fonts/font'
import { findPackageFile } from '../../../../engines/installed-package'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { writeCffFixture } from '../../../fixtures/cff-writer'
import { boxOf } from '../../../fixtures/charstrings'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { makeTrap } from '../../../fixtures/traps'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { LIMITS } from '../../../support/run-on'

/** A font whose glyphs 36 and 37 are A and B. */
const ARIMO = findPackageFile('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')

type AddFont = (pdf: PdfWriter) => number

/** A page whose font /X shows `shown`, which is a string in hexadecimal digits. */
function writeFile(add: AddFont, shown = ''): Uint8Array {
  const resources = (pdf: PdfWriter): string => `/Font<</X ${add(pdf)} 0 R>>`
  return new Uint8Array(makeTrap({ content: `BT /X 20 Tf 20 20 Td <${shown}> Tj ET`, resources }).file)
}

function openFont(add: AddFont): Font {
  const document = openDocument(writeFile(add), LIMITS)
  const resources = document.peekDict(document.pages[0]?.dict.get(PDFName.of('Resources')))
  return new Fonts(document).find(document.peekDict(resources?.get(PDFName.of('Font')))?.get(PDFName.of('X')))
}

/** The texts of codes of `length` bytes, with `?` for codes without a text. */
function textsOf(add: AddFont, codes: readonly number[], length = 1): string {
  const font = openFont(add)
  return codes.map(code => font.textOf(code, length)?.text ?? '?').join('')
}

function sourceOf(add: AddFont, code: number, length = 1): string | undefined {
  return openFont(add).textOf(code, length)?.source
}

/** A font with Identity-H codes and this ToUnicode CMap, or the name of one. */
function mapped(map: string): AddFont {
  return pdf => {
    const descendant = pdf.add(
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Abc/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
    )
    const value = /^\/\S+$/.test(map) ? map : `${pdf.addStream('', map)} 0 R`
    return pdf.add(
      `<</Type/Font/Subtype/Type0/BaseFont/Abc/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${value}>>`,
    )
  }
}

function composite(encoding: string, ordering: string): AddFont {
  return pdf => {
    const system = `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 0>>`
    const metrics = '/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80'
    const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Abc${metrics}>>`)
    const descendant = pdf.add(
      `<</Type/Font/Subtype/CIDFontType0/BaseFont/Abc/FontDescriptor ${descriptor} 0 R${system}>>`,
    )
    return pdf.add(`<</Type/Font/Subtype/Type0/BaseFont/Abc/Encoding/${encoding}/DescendantFonts[${descendant} 0 R]>>`)
  }
}

function type3(differences: string): AddFont {
  return pdf => {
    const draw = pdf.addStream('', '600 0 0 0 600 700 d1 0 0 500 700 re f')
    const names = [...differences.matchAll(/\/(\S+)/g)].map(([name]) => `${name} ${draw} 0 R`)
    return pdf.add(
      `<</Type/Font/Subtype/Type3/FontBBox[0 -200 600 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<${names.join('')}>>` +
        `/Encoding<</Differences[${differences}]>>/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]/Resources<<>>>>`,
    )
  }
}

const simple =
  (entries: string): AddFont =>
  pdf =>
    pdf.add(`<</Type/Font${entries}>>`)

describe('the text of a code', () => {
  it.each([
    [
      'ranges that end above xxFF',
      '1 beginbfrange <00FE> <0102> <0041> endbfrange',
      [0xfe, 0xff, 0x100, 0x102],
      'ABCE',
    ],
    ['destinations that pass xxFF', '1 beginbfrange <0001> <0003> <00FE> endbfrange', [1, 2, 3], 'þÿĀ'],
    ['destinations that are pairs', '1 beginbfrange <0001> <0002> <D83DDE00> endbfrange', [1, 2], '😀😁'],
    ['an odd number of digits', '1 beginbfchar <001> <041> <0002> <42> endbfchar', [1, 2], 'AB'],
    ['a count that is too small', '1 beginbfchar <0001> <0041> <0002> <0042> endbfchar', [1, 2], 'AB'],
    ['a count that is too large', '9 beginbfrange <0001> <0002> <0041> endbfrange', [1, 2], 'AB'],
    [
      'no end of the block',
      '1 beginbfchar <0001> <0041> 1 beginbfrange <0002> <0003> <0042> endcmap',
      [1, 2, 3],
      'ABC',
    ],
    ['no end of the file', '2 beginbfchar <0001> <0041> <0002> <00', [1], 'A'],
    ['a short list', '1 beginbfrange <0001> <0003> [<0041> <0042>] endbfrange', [1, 2, 3], 'AB?'],
    [
      'a long list',
      '1 beginbfrange <0001> <0002> [<0041> <0042> <0043>] <0004> <0004> <0044> endbfrange',
      [1, 2, 3, 4],
      'AB?D',
    ],
    ['names', '1 beginbfchar <0001> /A <0002> /eacute endbfchar', [1, 2], 'Aé'],
    [
      'short codes',
      '1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0058> endbfchar',
      [0x41],
      'X',
    ],
    ['comments and spaces', '1 beginbfchar % <0001> <0058>\n<00 01> < 00\n41 > endbfchar', [1], 'A'],
    ['a CMap that it is based on', '/Adobe-Japan1-UCS2 usecmap 1 beginbfchar <0001> <0041> endbfchar', [1, 0x22], 'AA'],
    [
      'ranges that overlap',
      '2 beginbfrange <0000> <FFFF> <0000> <0041> <0042> <0061> endbfrange',
      [0x40, 0x41, 0x42, 0x43],
      '@abC',
    ],
    [
      'a list of many codes',
      `1 beginbfchar ${Array.from({ length: 20_000 }, (_, code) => `<${code.toString(16).padStart(4, '0')}> <0041>`).join(' ')} endbfchar`,
      [0, 19_999, 20_000],
      'AA?',
    ],
    [
      'nothing that is text',
      '5 beginbfchar <0001> <> <0002> <0000> <0003> <FFFD> <0004> <D800> <0005> <0041> endbfchar',
      [1, 2, 3, 4, 5],
      '????A',
    ],
    ['ligatures', '1 beginbfchar <0001> <FB01> endbfchar', [1], 'ﬁ'],
    ['a name', '/Identity-H', [0x41, 0x3b1], 'Aα'],
  ])('comes from a ToUnicode CMap with %s', (_, map, codes, text) => {
    expect(textsOf(mapped(map), codes, 2)).toBe(text)
  })

  it('is found in bounded time in a hostile CMap', () => {
    const ranges = Array.from(
      { length: 60_000 },
      (_, index) => `<${index.toString(16).padStart(4, '0')}> <FFFF> <0041>`,
    )
    const started = performance.now()
    expect(textsOf(mapped(`1 beginbfrange ${ranges.join(' ')} endbfrange`), [0xffff], 2)).toMatch(/^.$/u)
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it.each([
    ['[1 /S /E /C]', '1 /S /E /C', [1, 2, 3], 'SEC'],
    ['figures and ligatures', '65 /one /f_f_i /uni0041 /a /space', [65, 66, 67, 68, 69], '1ffiAa '],
    ['high codes', '200 /T /eacute /afii57664', [200, 201, 202], 'Téא'],
    ['numbers that are the codes', '65 /a65 /a66', [65, 66], 'AB'],
    ['hexadecimal numbers that are the codes', '65 /G41 /G42', [65, 66], 'AB'],
    ['four digits', '65 /C0065 /C0066', [65, 66], 'AB'],
    ['hexadecimal digits', '1 /x4A /x4B /x61', [1, 2, 3], 'JKa'],
    ['numbers of glyphs', '65 /g1 /g2 /g23', [65, 66, 67], '???'],
    ['different prefixes', '65 /a65 /b66', [65, 66], '??'],
  ])('comes from the names of Type 3 glyphs: %s', (_, differences, codes, text) => {
    expect(textsOf(type3(differences), codes)).toBe(text)
  })

  it.each([
    ['WinAnsi', '/Subtype/Type1/BaseFont/Abc/Encoding/WinAnsiEncoding', [0x41, 0x80, 0x9f, 0xe9], 'A€Ÿé'],
    ['MacRoman', '/Subtype/TrueType/BaseFont/Abc/Encoding/MacRomanEncoding', [0x41, 0x8e, 0xa5, 0xd9, 0xdb], 'Aé•Ÿ€'],
    ['Standard', '/Subtype/Type1/BaseFont/Abc', [0x41, 0x27, 0xae], 'A’fi'],
    [
      'Differences',
      '/Subtype/Type1/BaseFont/Abc/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/alpha]>>',
      [1, 66],
      'αB',
    ],
    ['Symbol', '/Subtype/Type1/BaseFont/Symbol', [0x61, 0x62], 'αβ'],
    ['ZapfDingbats', '/Subtype/Type1/BaseFont/ZapfDingbats', [0x21], '✁'],
    ['an unknown name', '/Subtype/Type1/BaseFont/Abc/Encoding<</Differences[65/xyzzy]>>', [65], '?'],
  ])('comes from the encoding of a simple font: %s', (_, entries, codes, text) => {
    expect(textsOf(simple(entries), codes)).toBe(text)
  })

  it.each([
    ['90ms-RKSJ-H', 'Japan1', '82a0', 2, 'あ'],
    ['90ms-RKSJ-V', 'Japan1', '82a0', 2, 'あ'],
    ['90ms-RKSJ-H', 'Japan1', 'b1', 1, 'ｱ'],
    ['EUC-H', 'Japan1', 'a4a2', 2, 'あ'],
    ['GBK-EUC-H', 'GB1', 'b7a2', 2, '发'],
    ['GB-EUC-H', 'GB1', 'b7a2', 2, '发'],
    ['ETen-B5-H', 'CNS1', 'b5a5', 2, '等'],
    ['KSCms-UHC-H', 'Korea1', 'b0a1', 2, '가'],
    ['Identity-H', 'Japan1', '034b', 2, 'あ'],
    ['Identity-V', 'Japan1', '034b', 2, 'あ'],
  ])('comes from the character collection: %s of %s', (encoding, ordering, code, length, text) => {
    const add = composite(encoding, ordering)
    expect(openFont(add).textOf(Number.parseInt(code, 16), length)).toEqual({ text, source: 'collection' })
    expect(openFont(add).lengthAt?.(Buffer.from(`${code}${code}`, 'hex'), 0)).toBe(length)
  })

  it.each([
    ['UniJIS-UCS2-H', '3042', 2, 'あ'],
    ['UniGB-UTF16-H', '53d1', 2, '发'],
    ['UniJIS-UTF16-V', 'd842dfb7', 4, '𠮷'],
    ['UniCNS-UTF8-H', 'e799bc', 3, '發'],
    ['UniKS-UTF32-H', '0000ac00', 4, '가'],
    ['UniAKR-UTF16-H', 'ac00', 2, '가'],
  ])('is the code itself in %s', (encoding, code, length, text) => {
    expect(openFont(composite(encoding, 'Any')).textOf(Number.parseInt(code, 16), length)).toEqual({
      text,
      source: 'encoding',
    })
  })

  it.each([
    ['90ms-RKSJ-H', 'Japan1', '82a082a2b1'],
    ['GBK-EUC-H', 'GB1', 'b7a2c6b1'],
    ['ETen-B5-H', 'CNS1', 'b5a5b0ea'],
    ['KSCms-UHC-H', 'Korea1', 'b0a1b3aa'],
    ['UniJIS-UCS2-H', 'Japan1', '30423044'],
  ])('is what PDF.js reads: %s', async (encoding, ordering, shown) => {
    const add = composite(encoding, ordering)
    const font = openFont(add)
    const bytes = Buffer.from(shown, 'hex')
    let text = ''
    for (let at = 0; at < bytes.length;) {
      const length = font.lengthAt?.(bytes, at) ?? 1
      text += font.textOf(bytes.readUIntBE(at, length), length)?.text ?? '?'
      at += length
    }
    expect((await readPdfjsTexts(writeFile(add, shown))).join('')).toContain(text)
  })

  it('comes from the program if nothing else tells it', () => {
    const glyphs = ['.notdef', 'A', 'eacute', 'f_i'].map(key => ({ key, charstring: boxOf(0, 500, 700) }))
    const cff = Buffer.from(writeCffFixture({ glyphs }))
    const program =
      (key: string, subtype: string, data: Uint8Array): AddFont =>
      pdf => {
        const file = pdf.addStream(subtype, data)
        const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Abc/Flags 4/${key} ${file} 0 R>>`)
        const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>'
        const kind = key === 'FontFile2' ? 'CIDFontType2' : 'CIDFontType0'
        const descendant = pdf.add(
          `<</Type/Font/Subtype/${kind}/BaseFont/Abc/FontDescriptor ${descriptor} 0 R${system}>>`,
        )
        return pdf.add(
          `<</Type/Font/Subtype/Type0/BaseFont/Abc/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]>>`,
        )
      }
    const named = program('FontFile3', '/Subtype/CIDFontType0C', cff)
    expect(textsOf(named, [0, 1, 2, 3, 4], 2)).toBe('?Aéfi?')
    expect(sourceOf(named, 1, 2)).toBe('program')
    const encoded = program('FontFile2', '', readFileSync(ARIMO))
    expect(textsOf(encoded, [0, 36, 37], 2)).toBe('?AB')
  })
})

describe('a font', () => {
  const described = (name: string, descriptor: string): Font =>
    openFont(pdf => {
      const entries = pdf.add(`<</Type/FontDescriptor/FontName/${name}${descriptor}>>`)
      return pdf.add(`<</Type/Font/Subtype/TrueType/BaseFont/${name}/FontDescriptor ${entries} 0 R>>`)
    })

  it.each([
    ['a descriptor', '/Ascent 900/Descent -210', 0.9, -0.21],
    ['a descent without its sign', '/Ascent 900/Descent 210', 0.9, -0.21],
    ['a bounding box', '/Ascent 0/Descent 0/FontBBox[0 -300 1000 800]', 0.8, -0.3],
    ['nothing', '', 0.75, -0.25],
    ['nonsense', '/Ascent 900000/Descent 1', 0.75, -0.25],
  ])('has an ascent and a descent by %s', (_, entries, ascent, descent) => {
    const font = described('Abc', entries)
    expect([font.ascent, font.descent]).toEqual([ascent, descent])
  })

  it('has those of the standard font of its name, or of its glyphs', () => {
    const helvetica = openFont(simple('/Subtype/Type1/BaseFont/Helvetica'))
    expect([helvetica.ascent, helvetica.descent]).toEqual([0.718, -0.207])
    const drawn = openFont(type3('1 /A'))
    expect(drawn.ascent).toBeCloseTo(0.7)
    expect(drawn.descent).toBeCloseTo(-0.2)
  })

  it.each([
    ['Abc-Bold', '', { isBold: true, isItalic: false, isMonospaced: false }],
    ['Abc', '/StemV 140', { isBold: true, isItalic: false, isMonospaced: false }],
    ['Abc-Regular', '/StemV 140', { isBold: false, isItalic: false, isMonospaced: false }],
    ['Abc', '/Flags 262144', { isBold: true, isItalic: false, isMonospaced: false }],
    ['CourierNew,Italic', '', { isBold: false, isItalic: true, isMonospaced: true }],
    ['Barcode', '/StemV 80', { isBold: false, isItalic: false, isMonospaced: false }],
  ])('has a style by its name and descriptor: %s %s', (name, descriptor, style) => {
    expect(described(name, descriptor).style).toEqual({ ...style, name })
  })

  it.each([
    [33, '/Widths[602 602 0 602]', true],
    [32, '/Widths[602 602 602]', false],
    [33, '/Widths[602 278 602]', false],
    [33, '/Widths[1000 1000]', false],
    [33, '', false],
  ])('has equal widths by flags %i and its widths: %s', (flags, widths, isMonospaced) => {
    const font = openFont(pdf => {
      const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Abc/Flags ${flags}>>`)
      return pdf.add(`<</Type/Font/Subtype/TrueType/BaseFont/Abc/FontDescriptor ${descriptor} 0 R${widths}>>`)
    })
    expect(font.style.isMonospaced).toBe(isMonospaced)
  })

  it.each([
    ['[1 [602 602] 5 9 602]', true],
    ['[1 [602 602 278]]', false],
    ['[1 9 500 10 [600]]', false],
  ])('has equal widths by those of a composite font: %s', (widths, isMonospaced) => {
    const font = openFont(pdf => {
      const descriptor = pdf.add('<</Type/FontDescriptor/FontName/Abc/Flags 5>>')
      const inner = pdf.add(
        `<</Type/Font/Subtype/CIDFontType2/BaseFont/Abc/FontDescriptor ${descriptor} 0 R/W${widths}>>`,
      )
      return pdf.add(`<</Type/Font/Subtype/Type0/BaseFont/Abc/Encoding/Identity-H/DescendantFonts[${inner} 0 R]>>`)
    })
    expect(font.style.isMonospaced).toBe(isMonospaced)
  })
})
