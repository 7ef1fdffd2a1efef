import { describe, expect, it } from 'vitest'
import { decodeBmp, readBmp } from '../../../../engines/features/images-in/bmp'

/** A BMP file with a header of 40 bytes. */
function makeBmp(
  bits: number,
  compression: number,
  { palette = [] as number[], data = [] as number[], height = 2 },
): Buffer {
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(54 + palette.length, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(2, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(bits, 28)
  header.writeUInt32LE(compression, 30)
  return Buffer.concat([header, Buffer.from(palette), Buffer.from(data)])
}

const decode = (file: Buffer) => decodeBmp(readBmp(file))

describe('BMP files', () => {
  it('are read from the bottom row, or from the top with a negative height', () => {
    const data = [3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0]
    expect([...decode(makeBmp(24, 0, { data })).samples]).toEqual([7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6])
    expect([...decode(makeBmp(24, 0, { data, height: -2 })).samples]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('may have 16 and 32 bits per pixel', () => {
    const fiveBits = [0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00, 0xff, 0x7f]
    expect([...decode(makeBmp(16, 0, { data: fiveBits, height: -2 })).samples]).toEqual([
      255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255,
    ])
    const masks = [0xff, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0xff, 0]
    const pixels = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0]
    expect([...decode(makeBmp(32, 3, { palette: masks, data: pixels, height: -2 })).samples]).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
  })

  it('may have runs of palette colors', () => {
    const palette = Array.from({ length: 1024 }, (_, at) => at & 255)
    const data = [2, 5, 0, 0, 1, 6, 1, 7, 0, 1]
    expect([...decode(makeBmp(8, 1, { palette, data })).samples]).toEqual([6, 7, 5, 5])
    const nibbles = [2, 0x12, 0, 0, 0, 2, 0x34, 0, 0, 1]
    expect([...decode(makeBmp(4, 2, { palette: palette.slice(0, 64), data: nibbles })).samples].slice(2)).toEqual([
      1, 2,
    ])
  })

  it('must be complete', () => {
    expect(() => decode(makeBmp(24, 0, { data: [1, 2, 3, 4] }))).toThrow('incomplete')
    expect(() => readBmp(makeBmp(7, 0, {}))).toThrow('type')
  })
})
