import { describe, expect, it } from 'vitest'
import { findChangedAreas, turnBitmap } from '../../../../engines/features/comparison/looks/bitmap-changes'
import type { Bitmap } from '../../../../engines/pdf/rendering/render'

/** A white image with filled rectangles. Positions may be fractions: edges are anti-aliased. */
function draw(width: number, height: number, boxes: [x: number, y: number, width: number, height: number][]): Bitmap {
  const pixels = new Uint8Array(width * height * 3).fill(255)
  const cover = (from: number, size: number, at: number): number =>
    Math.max(0, Math.min(from + size, at + 1) - Math.max(from, at))
  for (const [left, top, across, down] of boxes)
    for (let y = Math.floor(top); y < Math.min(height, top + down); y++)
      for (let x = Math.floor(left); x < Math.min(width, left + across); x++) {
        const share = cover(left, across, x) * cover(top, down, y)
        if (share > 0) pixels.fill(255 - Math.round(255 * share), (y * width + x) * 3, (y * width + x) * 3 + 3)
      }
  return { width, height, channels: 3, pixels, dpi: 72 }
}

const TOLERANCE = { level: 40, leastPixels: 4 }

function compare(before: Bitmap, after: Bitmap, leftOut?: Uint8Array): ReturnType<typeof findChangedAreas> {
  const size = Math.max(before.width, after.width) * Math.max(before.height, after.height)
  return findChangedAreas(before, after, TOLERANCE, leftOut ?? new Uint8Array(size))
}

describe('findChangedAreas', () => {
  it('finds nothing in equal images, and in images shifted by a part of a pixel', () => {
    for (const by of [0, 0.25, 0.5, 0.75, 1])
      for (const thickness of [1, 1.4, 20])
        expect(
          compare(draw(60, 60, [[20, 20, 20, thickness]]), draw(60, 60, [[20 + by, 20 + by, 20, thickness]])),
        ).toEqual([])
  })

  it('finds a missing line and a moved box, each with its extent', () => {
    const [area, ...more] = compare(draw(90, 90, [[10, 30, 60, 1]]), draw(90, 90, []))
    expect(more).toEqual([])
    expect([area?.left, area?.right]).toEqual([9, 71].map(edge => expect.closeTo(edge, -1) as number))
    expect([area?.top, area?.bottom]).toEqual([29, 32].map(edge => expect.closeTo(edge, -1) as number))
    expect(compare(draw(200, 50, [[10, 10, 10, 10]]), draw(200, 50, [[150, 10, 10, 10]]))).toHaveLength(2)
  })

  it('leaves out pixels that the caller names', () => {
    const leftOut = new Uint8Array(60 * 60)
    for (let y = 15; y < 35; y++) leftOut.fill(1, y * 60 + 15, y * 60 + 45)
    expect(compare(draw(60, 60, [[20, 20, 20, 10]]), draw(60, 60, []), leftOut)).toEqual([])
  })

  it('compares images of different sizes with white around the smaller one', () => {
    expect(compare(draw(60, 60, []), draw(80, 90, []))).toEqual([])
    expect(compare(draw(60, 60, []), draw(80, 90, [[65, 70, 10, 10]]))).toHaveLength(1)
  })

  it('limits the number of areas', () => {
    const dots: [number, number, number, number][] = []
    for (let y = 0; y < 1200; y += 24) for (let x = 0; x < 1200; x += 24) dots.push([x + 4, y + 4, 4, 4])
    const areas = compare(draw(1200, 1200, []), draw(1200, 1200, dots))
    expect(areas.length).toBeGreaterThan(0)
    expect(areas.length).toBeLessThanOrEqual(60)
  })
})

describe('turnBitmap', () => {
  it('turns clockwise, and back', () => {
    const image = draw(4, 3, [[0, 0, 1, 1]])
    const turned = turnBitmap(image, 1)
    expect([turned.width, turned.height, turned.pixels[2 * 3]]).toEqual([3, 4, 0])
    for (const turns of [1, 2, 3]) expect(turnBitmap(turnBitmap(image, turns), -turns)).toEqual(image)
  })
})
