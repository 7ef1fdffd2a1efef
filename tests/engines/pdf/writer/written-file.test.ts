import { describe, expect, it } from 'vitest'
import { openWritten } from '../../../../engines/pdf/open-save/open'
import { BLOCK_BYTES, ChunkWriter, VIEW_BYTES } from '../../../../engines/pdf/writer/chunk-writer'
import { WrittenFile } from '../../../../engines/pdf/writer/written-file'
import { numbered } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

/** Sizes around the limits of views and blocks. */
const SIZES = [0, 1, 191, 192, VIEW_BYTES - 1, VIEW_BYTES, BLOCK_BYTES, 3 * BLOCK_BYTES, 5]

describe('ChunkWriter', () => {
  it('keeps the order of pieces of every size', () => {
    const source = Uint8Array.from({ length: 4 * BLOCK_BYTES }, (_, index) => index % 251)
    const writer = new ChunkWriter(100)
    const expected: Uint8Array[] = []
    for (const size of SIZES) {
      writer.text(`<${size}>`)
      writer.slice(source, 7, 7 + size)
      writer.bytes(source.subarray(3, 3 + size))
      writer.take(size).fill(9)
      expected.push(Buffer.from(`<${size}>`), source.subarray(7, 7 + size), source.subarray(3, 3 + size))
      expected.push(new Uint8Array(size).fill(9))
    }
    const whole = Buffer.concat(expected)
    expect(writer.length).toBe(whole.length)
    expect(Buffer.concat(writer.chunks()).equals(whole)).toBe(true)
    writer.text('end')
    expect(Buffer.concat(writer.chunks()).equals(Buffer.concat([whole, Buffer.from('end')]))).toBe(true)
  })

  it('shares the memory of large pieces', () => {
    const large = new Uint8Array(VIEW_BYTES)
    const writer = new ChunkWriter()
    writer.bytes(large)
    writer.slice(large, 0, VIEW_BYTES)
    expect(writer.chunks().every(({ buffer }) => buffer === large.buffer)).toBe(true)
  })
})

describe('WrittenFile', () => {
  const whole = Uint8Array.from({ length: 100 }, (_, index) => index)
  const file = new WrittenFile([whole.subarray(0, 10), whole.subarray(10, 11), whole.subarray(11)], 90)

  it('copies any range to its place', () => {
    for (let start = 0; start < 100; start += 3) {
      for (let end = start; end <= 100; end += 7) {
        const target = new Uint8Array(100)
        file.copyRange(target, start, end)
        expect(target).toEqual(whole.map((byte, index) => (index >= start && index < end ? byte : 0)))
      }
    }
    expect(Buffer.from(file.join()).equals(whole)).toBe(true)
  })
})

describe('openWritten', () => {
  const bytes = numbered({})
  const xrefStart = Number(/startxref\n(\d+)/u.exec(bytes.toString('latin1'))?.[1])
  const inPieces = (file: Uint8Array): WrittenFile =>
    new WrittenFile(
      Array.from({ length: Math.ceil(file.length / 100) }, (_, index) => file.subarray(index * 100, index * 100 + 100)),
      xrefStart,
    )

  it('reads the pages of a file in chunks', () => {
    const document = openWritten(inPieces(bytes), LIMITS)
    expect([document.pageCount, document.source.repairs]).toEqual([5, []])
  })

  it('finds an object that is not where the table says', () => {
    const broken = Buffer.from(bytes)
    const at = broken.indexOf('/Type/Page/')
    broken.copyWithin(at - 12, at, at + 4)
    expect(openWritten(inPieces(broken), LIMITS).source.repairs).not.toEqual([])
  })
})
