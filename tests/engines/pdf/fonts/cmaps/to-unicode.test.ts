import { PDFName, PDFRawStream, type PDFRef } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readToUnicode } from '../../../../../engines/pdf/fonts/cmaps/to-unicode'
import { keyOfCode } from '../../../../../engines/pdf/content/code-keys'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { writeToUnicode } from '../../../../../engines/pdf/content/write-to-unicode'
import { makeTrap } from '../../../../fixtures/traps'
import { LIMITS } from '../../../../support/run-on'

/**
 * Returns the text of codes in a font with this CMap. Each code has a number of bytes. Codes without text are left out.
 */
function read(
  map: string | Uint8Array,
  codes: readonly (readonly [code: number, length: number])[],
  base?: string,
): Record<string, string> {
  const document = openDocument(new Uint8Array(makeTrap({}).file), LIMITS)
  const add = (data: string | Uint8Array, entries: Record<string, PDFRef>): PDFRef =>
    document.register(PDFRawStream.of(document.context.obj(entries), Buffer.from(data)))
  const font = document.context.obj({})
  font.set(PDFName.of('ToUnicode'), add(map, base === undefined ? {} : { UseCMap: add(base, {}) }))
  const texts = readToUnicode(document, font)
  return Object.fromEntries(
    codes.flatMap(([code, length]) => {
      const text = texts?.textOf(keyOfCode(code, length))
      return text === undefined ? [] : [[`${length}:${code}`, text]]
    }),
  )
}

describe('a ToUnicode CMap', () => {
  it('is read with single codes, ranges, lists, comments and texts of several characters', () => {
    const map = [
      '1 begincodespacerange <00> <ff> endcodespacerange % <41> <0042>',
      '2 beginbfchar <01> <0051> <02> <00660069> endbfchar',
      '2 beginbfrange <10> <12> <0041> <20> <21> [<0058> <00590059>] endbfrange',
      '1 beginbfchar <0003> <d83dde00> endbfchar',
    ].join('\n')
    const codes = [1, 2, 4, 16, 17, 18, 19, 32, 33, 34, 65].map(code => [code, 1] as const)
    expect(read(map, [...codes, [3, 2]])).toEqual({
      '1:1': 'Q',
      '1:2': 'fi',
      '1:16': 'A',
      '1:17': 'B',
      '1:18': 'C',
      '1:32': 'X',
      '1:33': 'YY',
      '2:3': '😀',
    })
  })

  it('is written so that it reads the same', () => {
    const codes = Array.from({ length: 250 }, (_, index) => [index + 1, 2] as const)
    const texts = codes.map(([code, length]) => [keyOfCode(code, length), String.fromCharCode(0x40 + code)] as const)
    const again = read(writeToUnicode([...texts, [keyOfCode(7, 1), 'ffi']]), [...codes, [7, 1]])
    expect(again).toEqual({
      '1:7': 'ffi',
      ...Object.fromEntries(codes.map(([code]) => [`2:${code}`, String.fromCharCode(0x40 + code)])),
    })
  })

  it('is read as viewers do if codes have a wrong number of bytes', () => {
    expect(
      read('1 beginbfchar <0041> <0051> endbfchar', [
        [0x41, 1],
        [0x41, 2],
        [0x42, 1],
      ]),
    ).toEqual({ '1:65': 'Q', '2:65': 'Q' })
  })

  it('overrides the CMap that it refers to', () => {
    expect(
      read(
        '1 beginbfchar <01> <0041> endbfchar',
        [
          [1, 1],
          [2, 1],
        ],
        '1 beginbfrange <01> <02> <0058> endbfrange',
      ),
    ).toEqual({ '1:1': 'A', '1:2': 'Y' })
  })

  it('is read as far as possible without an end, or with a range without end', () => {
    expect(read('1 beginbfchar <01> <0041>', [[1, 1]])).toEqual({ '1:1': 'A' })
    expect(read('1 beginbfrange <00000000> <ffffffff> <0041> endbfrange', [[5, 4]])).toEqual({ '4:5': 'F' })
    expect(
      read('1 beginbfrange <0000> <ffff> <0000> <41> <41> <0058> endbfrange', [
        [0x50, 2],
        [0x1234, 2],
        [0x41, 1],
      ]),
    ).toEqual({ '2:80': 'P', '2:4660': '\u1234', '1:65': 'X' })
  })
})
