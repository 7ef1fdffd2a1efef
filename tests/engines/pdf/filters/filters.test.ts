import { deflateSync } from 'node:zlib'
import { PDFContext } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { decodeStream } from '../../../../engines/pdf/filters/filters'
import { Parser } from '../../../../engines/pdf/syntax/parser'
import { damagedFlate } from '../../../fixtures/damaged'
import { noise } from '../../../fixtures/draft'
import { latin } from '../../../fixtures/pdf-writer'

function decode(dictionary: string, data: string | Uint8Array, maxBytes = 1_000_000): Buffer | undefined {
  const dict = new Parser(latin(`<<${dictionary}>>`), PDFContext.create(), 0).parseAt(0)
  const bytes = decodeStream(dict as Parameters<typeof decodeStream>[0], latin(data), value => value, maxBytes)
  return bytes && Buffer.from(bytes)
}

const text = latin(Array.from({ length: 300 }, (_, index) => `line ${index} of a text\n`).join(''))

describe('decodeStream', () => {
  it('returns data without filters unchanged', () => {
    expect(decode('', 'as it is')?.toString()).toBe('as it is')
  })

  it('decodes several filters in their order', () => {
    expect(decode('/Filter[/ASCIIHexDecode/FlateDecode]', deflateSync(text).toString('hex'))).toEqual(text)
    expect(decode('/Filter[/AHx/Fl]', `${deflateSync(text).toString('hex')}>rubbish`)).toEqual(text)
  })

  it('reads hexadecimal digits of both cases with white space, and an odd last digit', () => {
    expect(decode('/Filter/ASCIIHexDecode', '4a 4B\n4c 7>ff')).toEqual(Buffer.from([0x4a, 0x4b, 0x4c, 0x70]))
  })

  it('reads ASCII base 85, with z, white space and an incomplete last group', () => {
    // "Man is d" and its prefixes come from Adobe's own description of the encoding.
    expect(decode('/Filter/ASCII85Decode', '9jqo^BlbD-~>')?.toString()).toBe('Man is d')
    expect(decode('/Filter/A85', '9jqo^\nBl~>')?.toString()).toBe('Man i')
    expect(decode('/Filter/A85', '9jqo^zBlbD-~>')).toEqual(
      Buffer.concat([latin('Man '), Buffer.alloc(4), latin('is d')]),
    )
  })

  it('reads run lengths: literal bytes, repeated bytes, and the end mark', () => {
    expect(decode('/Filter/RunLengthDecode', Uint8Array.of(2, 65, 66, 67, 253, 68, 0, 69, 128, 1, 1))?.toString()).toBe(
      'ABCDDDDE',
    )
    expect(decode('/Filter/RL', Uint8Array.of(5, 65, 66))?.toString()).toBe('AB')
  })

  for (const early of [1, 0]) {
    it(`reads LZW with code widths that grow ${early ? 'one code early' : 'in time'}`, () => {
      const large = Buffer.concat([text, noise('lzw', 6000), text])
      expect(decode(`/Filter/LZWDecode/DecodeParms<</EarlyChange ${early}>>`, lzw(large, early))).toEqual(large)
    })
  }

  it('reads the LZW example of ISO 32000', () => {
    expect(decode('/Filter/LZWDecode', Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01))).toEqual(
      Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]),
    )
  })

  for (const [kind, name] of ['none', 'sub', 'up', 'average', 'paeth'].entries()) {
    it(`decodes the PNG predictor "${name}" over pixels of several bytes`, () => {
      const [columns, colors] = [13, 3]
      const data = noise(`png ${kind}`, columns * colors * 9)
      const parameters = `/DecodeParms<</Predictor ${10 + kind}/Columns ${columns}/Colors ${colors}>>`
      expect(
        decode(`/Filter/FlateDecode${parameters}`, deflateSync(predict(data, columns * colors, colors, kind))),
      ).toEqual(data)
    })
  }

  it('decodes the TIFF predictor', () => {
    expect(
      decode(
        '/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 4/Colors 1>>',
        deflateSync(Buffer.from([1, 1, 1, 1, 10, 0, 0, 5])),
      ),
    ).toEqual(Buffer.from([1, 2, 3, 4, 10, 10, 10, 15]))
  })

  it('returns the readable part of damaged Flate data', () => {
    const { checksum, truncated, flipped } = damagedFlate(text)
    expect(decode('/Filter/FlateDecode', checksum)).toEqual(text)
    const half = decode('/Filter/FlateDecode', truncated) ?? Buffer.alloc(0)
    expect(half.length).toBeGreaterThan(text.length / 4)
    expect(half).toEqual(text.subarray(0, half.length))
    const start = decode('/Filter/FlateDecode', flipped) ?? Buffer.alloc(0)
    expect(start.subarray(0, 1000)).toEqual(text.subarray(0, 1000))
  })

  it('returns nothing for data that no general filter can decode', () => {
    expect(decode('/Filter/DCTDecode', 'picture')).toBeUndefined()
    expect(decode('/Filter[/FlateDecode/JPXDecode]', deflateSync(text))).toBeUndefined()
    expect(decode('/Filter/Unheard', 'x')).toBeUndefined()
    expect(decode('/Filter/FlateDecode', 'this is not deflated at all')).toBeUndefined()
  })

  for (const [name, dictionary, data] of [
    ['Flate', '/Filter/FlateDecode', deflateSync(Buffer.alloc(2_000_000))],
    ['run lengths', '/Filter/RunLengthDecode', Buffer.alloc(40_000, Uint8Array.of(129, 0))],
    ['base 85', '/Filter/ASCII85Decode', 'z'.repeat(300_000)],
    ['LZW', '/Filter/LZWDecode', lzw(Buffer.alloc(2_000_000), 1)],
    ['Flate in Flate', '/Filter[/FlateDecode/FlateDecode]', deflateSync(deflateSync(Buffer.alloc(2_000_000)))],
  ] as const) {
    it(`refuses ${name} if the output exceeds the limit`, () => {
      expect(() => decode(dictionary, data)).toThrow(
        expect.objectContaining({ name: 'EngineError', reason: 'too_large' }) as Error,
      )
    })
  }

  it('refuses more than 25 filters', () => {
    expect(() => decode(`/Filter[${'/AHx'.repeat(26)}]`, '')).toThrow(
      expect.objectContaining({ reason: 'too_large' }) as Error,
    )
  })
})

/** The encoder of the LZW filter as ISO 32000-2, 7.4.4.2 describes it. */
function lzw(data: Uint8Array, early: number): Buffer {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  let width = 9
  const put = (code: number): void => {
    buffer = (buffer << width) | code
    bits += width
    for (; bits >= 8; bits -= 8) bytes.push((buffer >> (bits - 8)) & 255)
    buffer &= (1 << bits) - 1
  }
  let table = new Map<string, number>()
  let next = 258
  put(256)
  let run = ''
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : (table.get(text) ?? -1))
  for (const byte of data) {
    const longer = run + String.fromCharCode(byte)
    if (longer.length === 1 || table.has(longer)) {
      run = longer
      continue
    }
    put(codeOf(run))
    table.set(longer, next++)
    if (next + early > 1 << width) width++
    if (next >= 4094) {
      put(256)
      table = new Map()
      next = 258
      width = 9
    }
    run = String.fromCharCode(byte)
  }
  put(codeOf(run))
  next++
  if (next + early > 1 << width) width++
  put(257)
  if (bits) bytes.push((buffer << (8 - bits)) & 255)
  return Buffer.from(bytes)
}

function predict(data: Buffer, rowBytes: number, pixelBytes: number, kind: number): Buffer {
  const rows: Buffer[] = []
  for (let start = 0; start < data.length; start += rowBytes) {
    const row = Buffer.alloc(rowBytes + 1, kind)
    for (let column = 0; column < rowBytes; column++) {
      const left = column >= pixelBytes ? (data[start + column - pixelBytes] ?? 0) : 0
      const up = start > 0 ? (data[start + column - rowBytes] ?? 0) : 0
      const corner = start > 0 && column >= pixelBytes ? (data[start + column - rowBytes - pixelBytes] ?? 0) : 0
      const distances = [left, up, corner].map(value => Math.abs(left + up - corner - value))
      const nearest = [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0
      row[column + 1] = (data[start + column] ?? 0) - ([0, left, up, (left + up) >> 1, nearest][kind] ?? 0)
    }
    rows.push(row)
  }
  return Buffer.concat(rows)
}
