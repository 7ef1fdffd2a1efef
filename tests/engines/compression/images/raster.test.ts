import { describe, expect, it } from 'vitest'
import { classifyImage } from '../../../../engines/compression/images/classify-image'
import { shrinkRaster, toBitmap, toRaster } from '../../../../engines/compression/images/raster'

const gray = (width: number, samples: number[]) =>
  ({ width, height: samples.length / width, channels: 1, samples: Uint8Array.from(samples) }) as const

describe('shrinkRaster', () => {
  it('averages the area of each new pixel', () => {
    const { samples } = shrinkRaster(gray(4, [0, 100, 200, 200, 100, 200, 200, 200]), 2, 1)
    expect([...samples]).toEqual([100, 200])
  })

  it('weights pixels that two new pixels share', () => {
    const { samples } = shrinkRaster(gray(3, [0, 90, 240]), 2, 1)
    expect([...samples]).toEqual([30, 190])
  })

  it('keeps the channels apart', () => {
    const raster = { width: 2, height: 1, channels: 3, samples: Uint8Array.from([0, 10, 20, 100, 110, 120]) } as const
    expect([...shrinkRaster(raster, 1, 1).samples]).toEqual([50, 60, 70])
  })
})

it('packs the same bits that it spread', () => {
  const bits = Uint8Array.from([0b10110000, 0b01000000])
  expect(toBitmap(toRaster({ width: 5, height: 2, bits }))).toEqual({ width: 5, height: 2, bits })
})

describe('classifyImage', () => {
  it('tells black and white from nearly black and white', () => {
    expect(classifyImage(gray(2, [0, 255]), false)).toMatchObject({ isBilevel: true, colors: [0, 0xffffff] })
    expect(classifyImage(gray(2, [9, 250]), false)).toMatchObject({ isBilevel: false, isNearlyBilevel: true })
    expect(classifyImage(gray(2, [9, 128]), false)).toMatchObject({ isNearlyBilevel: false, isGray: true })
  })

  it('allows noise in gray pixels of lossy data only', () => {
    const raster = { width: 1, height: 1, channels: 3, samples: Uint8Array.from([100, 104, 99]) } as const
    expect(classifyImage(raster, true).isGray).toBe(true)
    expect(classifyImage(raster, false).isGray).toBe(false)
  })
})
