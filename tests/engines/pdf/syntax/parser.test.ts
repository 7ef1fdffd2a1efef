import {
  PDFContext,
  type PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFRef,
  PDFString,
} from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { Parser } from '../../../../engines/pdf/syntax/parser'
import { Scanner } from '../../../../engines/pdf/syntax/scanner'
import { serialize } from '../../../../engines/pdf/syntax/serialize'
import { latin } from '../../../fixtures/pdf-writer'
import { PdfDict, PdfName, PdfText, StrictParser } from '../../../support/pdf-syntax'

function parse(text: string, shift = 0): PDFObject {
  return new Parser(latin(text), PDFContext.create(), shift).parseAt(0)
}

/** The value as engines/pdf writes it, read by the strict parser. */
function rewritten(text: string): unknown {
  return plain(new StrictParser(latin(serialize(parse(text), () => false))).value())
}

function plain(value: unknown): unknown {
  if (value instanceof PdfDict) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]))
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof PdfName) return `/${value.name}`
  return value instanceof PdfText ? `(${value.bytes})` : value
}

describe('Parser and serialize', () => {
  it('keep every kind of value', () => {
    expect(rewritten('<</A 1/B -2.5/C true/D[1 0 R/N(s)<41>null]/E<</F/G>>>>')).toEqual({
      A: 1,
      B: -2.5,
      C: true,
      D: [{ number: 1, generation: 0 }, '/N', '(s)', '(A)', null],
      E: { F: '/G' },
    })
  })

  it('keep names with escapes, also in lower case, and bytes beyond ASCII', () => {
    expect(rewritten('[/A#20B/A#2fB/a#c3#a9/A#/Lime#20Green/A;B_C*/\xe9]')).toEqual([
      '/A B',
      '/A/B',
      '/aÃ©',
      '/A#',
      '/Lime Green',
      '/A;B_C*',
      '/é',
    ])
  })

  it('keep the empty name apart from the next token', () => {
    expect(rewritten('[/ 5 / true / /A]')).toEqual(['/', 5, '/', true, '/', '/A'])
    expect(rewritten('<</ 5/B/ >>')).toEqual({ '': 5, B: '/' })
  })

  it('keep strings with escapes, balanced parentheses and line ends unchanged', () => {
    for (const text of [
      '(a(b)c)',
      String.raw`(a\(b)`,
      String.raw`(\101\n\\)`,
      '(one\\\ntwo)',
      '(\xfe\xff\x00A\x00))',
      '()',
      '< 4 1 4 >',
      '<>',
    ]) {
      expect(rewritten(text)).toEqual(plain(new StrictParser(latin(text)).value()))
    }
  })

  it('read numbers in any spelling as other readers do', () => {
    expect(rewritten('[+7 -.5 4. 007 --3 1.5.2 6-2 .]')).toEqual([7, -0.5, 4, 7, -3, 1.5, 6, 0])
    expect(rewritten('[123456789012345678 0.00000001 -0]')).toEqual([123456789012345680, 1e-8, 0])
  })

  it('ignore comments between tokens, also inside a reference', () => {
    expect(rewritten('<</A % comment with >> and (\n 5/B[1%x\r0%y\nR]>>')).toEqual({
      A: 5,
      B: [{ number: 1, generation: 0 }],
    })
  })

  it('drop null values and use the last of equal keys', () => {
    expect(rewritten('<</A null/B 1/B 2>>')).toEqual({ B: 2 })
  })

  it('continue after invalid syntax', () => {
    expect(rewritten('[1 foo 2 } 3 > 4]')).toEqual([1, null, 2, 3, 4])
    expect(rewritten('<</A 1 2 (x) /B 3 ] /C 4')).toEqual({ A: 1, B: 3, C: 4 })
    expect(rewritten('<</A[1 2/B 3>>')).toMatchObject({ A: [1, 2, '/B', 3] })
  })

  it('shift references for an added file, and drop their generation', () => {
    expect(parse('[1 0 R 2 5 R]', 100).toString()).toContain('101 0 R 102 0 R')
    expect(parse('2 5 R')).toBe(PDFRef.of(2, 5))
  })

  it('read an invalid object number as null', () => {
    expect(rewritten('[0 0 R 99999999 0 R 8388607 0 R]')).toEqual([null, null, { number: 8388607, generation: 0 }])
  })

  it('return pages and strings as the types of pdf-lib', () => {
    expect(parse('<</Type/Page>>')).toBeInstanceOf(PDFPageLeaf)
    expect(parse('(a)')).toBeInstanceOf(PDFString)
    expect(parse('<61>')).toBeInstanceOf(PDFHexString)
    expect((parse('<</K#65y(v)>>') as PDFDict).get(PDFName.of('Key'))?.toString()).toBe('(v)')
  })

  it('take arrays and dictionaries in 499 levels and refuse 500', () => {
    const arrays = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    const dictionaries = (levels: number) => `${'<</A'.repeat(levels)} 1${'>>'.repeat(levels)}`
    const badKeys = (levels: number) => `${'<<['.repeat(levels / 2)} 1${']>>'.repeat(levels / 2)}`
    for (const nest of [arrays, dictionaries]) {
      expect(serialize(parse(nest(499)), () => false)).toHaveLength(nest(499).length)
      expect(() => parse(nest(500))).toThrow(
        expect.objectContaining({
          reason: 'too_large',
          message: 'The file nests arrays or dictionaries more than 499 levels deep.',
        }) as Error,
      )
    }
    expect(() => parse(badKeys(498))).not.toThrow()
    expect(() => parse(badKeys(500))).toThrow('499 levels')
  })

  it('refuse nesting that never ends', () => {
    expect(() => parse('['.repeat(100_000))).toThrow(
      expect.objectContaining({
        name: 'EngineError',
        reason: expect.stringMatching(/^(damaged|too_large)$/) as string,
      }) as Error,
    )
    expect(() => parse('<</A'.repeat(100_000))).toThrow(
      expect.objectContaining({
        name: 'EngineError',
        reason: expect.stringMatching(/^(damaged|too_large)$/) as string,
      }) as Error,
    )
  })

  it('survive a million stray brackets', () => {
    for (const stray of [')', '}', '{', '>', ']'])
      expect(parse(`[${stray.repeat(1_000_000)}`).constructor.name).toBe('PDFArray')
  })

  it('close a string that ends with the file, so that the string is read the same again', () => {
    for (const text of ['(abc', '(a(b', String.raw`(abc\ `.trimEnd()]) {
      const written = serialize(parse(`[${text}`), () => false)
      const again = new StrictParser(latin(written))
      expect(plain(again.value())).toHaveLength(1)
      expect(again.at).toBe(written.length)
    }
  })

  it('write null for removed references, and omit such keys from dictionaries', () => {
    expect(serialize(parse('<</A 1 0 R/B[1 0 R 2 0 R]>>'), number => number === 1)).toBe('<</B[null 2 0 R]>>')
  })
})

describe('Scanner', () => {
  function scan(text: string): {
    end: number
    references: number[]
    streamStart: number
    directLength: number
    lengthReference: number
  } {
    const scanner = new Scanner()
    scanner.scan(latin(text), 0, text.length)
    const references = Array.from(
      { length: scanner.referenceCount },
      (_, index) => scanner.references[index * 3 + 2] ?? -1,
    )
    return {
      end: scanner.end,
      references,
      streamStart: scanner.streamStart,
      directLength: scanner.directLength,
      lengthReference: scanner.lengthReference,
    }
  }

  it('finds references, and none in strings, names and comments', () => {
    expect(scan('<</A 1 0 R/B[2 0 R 3 0 R](4 0 R)/C<3520302052>/D#20 5 % 6 0 R\n/E 7 0 R>> endobj').references).toEqual(
      [1, 2, 3, 7],
    )
    expect(scan('[1 2 0 R 3 4 5 R R 1.5 0 R -1 0 R 10 0 Rx]').references).toEqual([2, 4])
  })

  it('finds a reference that contains a comment or a line end', () => {
    expect(scan('[1%x\r0%y\nR 2\n0\nR]').references).toEqual([1, 2])
  })

  it('ends right after the value', () => {
    expect(scan('<</A 1>>\nendobj\n').end).toBe(8)
    expect(scan('[1 2]  % comment\nendobj').end).toBe(5)
    expect(scan('42 endobj').end).toBe(2)
    expect(scan('<</A 1>>\n5 0 obj<<>>').end).toBe(9)
  })

  it('finds the start of a stream and the length in its dictionary', () => {
    expect(scan('<</Length 12>>\nstream\r\nx')).toMatchObject({
      streamStart: 23,
      directLength: 12,
      lengthReference: -1,
    })
    expect(scan('<</Length 12 0 R/A 1>>stream\nx')).toMatchObject({
      streamStart: 29,
      directLength: -1,
      lengthReference: 12,
    })
    expect(scan('<</D<</Length 3>>/Length 12>>stream\nx')).toMatchObject({ directLength: 12 })
    expect(scan('(stream) endobj').streamStart).toBe(-1)
  })

  it('ignores brackets and escapes in strings', () => {
    expect(scan(String.raw`[(a\)>>endobj(1 0 R)) 2 0 R] endobj`).references).toEqual([2])
    expect(scan('[<2829> 2 0 R (\\\\) 3 0 R] endobj').references).toEqual([2, 3])
  })
})
