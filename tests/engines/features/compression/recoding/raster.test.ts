import { describe, expect, it } from 'vitest'
import { classifyImage } from '../../../../../engines/features/compression/recoding/classify-image'
import {
  averageBlocks,
  shrinkBitmap,
  shrinkRaster,
  toBitmap,
} from '../../../../../engines/features/compression/recoding/raster'

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

describe('averageBlocks', () => {
  const size = { width: 3, height: 3, channels: 1 } as const
  const rows = Uint8Array.from([0, 100, 7, 200, 100, 9, 10, 20, 30])

  it('averages blocks, and what is left of them at the edges', async () => {
    const { samples, ...rest } = (await averageBlocks([rows], size, 2)) ?? { samples: [] }
    expect(rest).toEqual({ width: 2, height: 2, channels: 1 })
    expect([...samples]).toEqual([100, 8, 15, 30])
  })

  it('takes chunks of any size, and ignores what follows the last row', async () => {
    const chunks = [rows.subarray(0, 1), rows.subarray(1, 5), rows.subarray(5), rows]
    expect(await averageBlocks(chunks, size, 2)).toEqual(await averageBlocks([rows], size, 2))
    expect(await averageBlocks([rows.subarray(0, 8)], size, 2)).toBeUndefined()
  })

  it('keeps the channels apart', async () => {
    const chunk = Uint8Array.from([0, 10, 20, 100, 110, 120])
    const raster = await averageBlocks([chunk], { width: 2, height: 1, channels: 3 }, 2)
    expect([...(raster?.samples ?? [])]).toEqual([50, 60, 70])
  })
})

describe('shrinkBitmap', () => {
  /** Random bits, of which about `share` are ones. */
  const bitmap = (width: number, height: number, share: number) => {
    let seed = 1
    const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff
    return toBitmap(
      gray(
        width,
        Array.from({ length: width * height }, () => (next() < share ? 255 : 0)),
      ),
    )
  }
  const spread = ({ width, height, bits }: ReturnType<typeof bitmap>) =>
    gray(
      width,
      Array.from({ length: width * height }, (_, at) => {
        const [x, y] = [at % width, Math.floor(at / width)]
        return ((bits[y * Math.ceil(width / 8) + (x >> 3)] as number) >> (7 - (x & 7))) & 1 ? 255 : 0
      }),
    )

  it.each<{ size: [number, number]; to: [number, number] }>([
    { size: [40, 16], to: [20, 8] },
    { size: [33, 21], to: [22, 14] },
    { size: [35, 9], to: [7, 9] },
    { size: [17, 30], to: [17, 10] },
    { size: [25, 7], to: [1, 1] },
  ])('sets the bits that the average of gray levels sets: $size to $to', ({ size, to }) => {
    for (const share of [0.05, 0.4, 0.6, 0.95]) {
      const large = bitmap(...size, share)
      expect(shrinkBitmap(large, ...to)).toEqual(toBitmap(shrinkRaster(spread(large), ...to)))
    }
  })
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
