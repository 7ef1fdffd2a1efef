import { describe, expect, it } from 'vitest'
import {
  type GrayImage,
  measureSpecks,
  type Quarters,
  removeSpecks,
  rotateImage,
  unturnMatrix,
  whiten,
  writePgm,
} from '../../../../../engines/features/ocr/scans/gray-image'
import { mapPoint } from '../../../../../engines/pdf/geometry/matrix'

const image = (rows: number[][]): GrayImage => ({
  width: rows[0]?.length ?? 0,
  height: rows.length,
  pixels: Uint8Array.from(rows.flat()),
})
const paper = (width: number, height: number): GrayImage => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
})

describe('grayscale images', () => {
  it('rotate clockwise, and the matrix maps each pixel back to its original place', () => {
    const upright = image([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(rotateImage(upright, 1)).toEqual(
      image([
        [4, 1],
        [5, 2],
        [6, 3],
      ]),
    )
    expect(rotateImage(upright, 2)).toEqual(
      image([
        [6, 5, 4],
        [3, 2, 1],
      ]),
    )
    expect(rotateImage(upright, 3)).toEqual(
      image([
        [3, 6],
        [2, 5],
        [1, 4],
      ]),
    )
    for (const quarters of [0, 1, 2, 3] as Quarters[]) {
      const turned = rotateImage(upright, quarters)
      for (let at = 0; at < turned.pixels.length; at++) {
        const [x, y] = mapPoint(
          unturnMatrix(upright, quarters),
          (at % turned.width) + 0.5,
          Math.floor(at / turned.width) + 0.5,
        )
        expect(upright.pixels[Math.floor(y) * upright.width + Math.floor(x)]).toBe(turned.pixels[at])
      }
    }
  })

  it('are written as PGM', () => {
    expect(Buffer.from(writePgm(image([[7, 8]]))).toString('latin1')).toBe('P5 2 1 255\n\x07\x08')
  })

  it('lose specks and keep strokes', () => {
    const speckled = paper(20, 20)
    speckled.pixels[6 * 20 + 5] = 0
    for (let row = 8; row < 16; row++)
      for (let column = 10; column < 13; column++) speckled.pixels[row * 20 + column] = 0
    const clean = removeSpecks(speckled)
    expect(clean.pixels[6 * 20 + 5]).toBe(255)
    expect(clean.pixels[12 * 20 + 11]).toBe(0)
    expect(measureSpecks(speckled)).toBeCloseTo(1 / 64) // Every fourth row, two pixels from the edges: 16 specks.
    expect(measureSpecks(clean)).toBe(0)
  })

  it('are made white in boxes, also if boxes reach beyond the edge', () => {
    const black: GrayImage = { width: 4, height: 3, pixels: new Uint8Array(12) }
    whiten(black, [
      { x: 2.2, y: -5, width: 9, height: 6.5 },
      { x: 9, y: 0, width: 1, height: 1 },
    ])
    expect([...black.pixels]).toEqual([0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0])
  })
})
