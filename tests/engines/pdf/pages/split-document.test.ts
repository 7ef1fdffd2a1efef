import { describe, expect, it } from 'vitest'
import { splitBySize, splitEvery, splitIntoParts } from '../../../../engines/pdf/pages/split-document'
import { WrittenFile } from '../../../../engines/pdf/writer/written-file'

const pages = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('cutIntoParts and cutEvery', () => {
  it("contain every page once, and longer parts come first if parts can't be equal", () => {
    for (const [count, parts] of [
      [7, 3],
      [9, 3],
      [5, 5],
      [100, 7],
    ] as const) {
      const sizes = splitIntoParts(pages(count), parts).map(cut => cut.indexes.length)
      expect(sizes).toHaveLength(parts)
      expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes)
      expect((sizes[0] ?? 0) - (sizes.at(-1) ?? 0)).toBeLessThanOrEqual(1)
      expect(splitIntoParts(pages(count), parts).flatMap(cut => cut.indexes)).toEqual(pages(count))
    }
    expect(splitEvery([4, 2, 9], 2)).toEqual([{ indexes: [4, 2] }, { indexes: [9] }])
  })
})

describe('cutBySize', () => {
  /** The sizes of the parts in pages, and the number of files that were written to find them. */
  function cut(
    bytesOf: number[],
    { maxBytes, likely, overhead = 0 }: { maxBytes: number; likely: number; overhead?: number },
  ) {
    let writes = 0
    const cuts = splitBySize(pages(bytesOf.length), maxBytes, likely, (start, count) => {
      writes++
      const size = bytesOf.slice(start, start + count).reduce((sum, bytes) => sum + bytes, overhead)
      return new WrittenFile([new Uint8Array(size)], 0)
    })
    expect(cuts.flatMap(part => part.indexes)).toEqual(pages(bytesOf.length))
    return {
      counts: cuts.map(part => part.indexes.length),
      sizes: cuts.map(part => part.file?.byteLength ?? 0),
      writes,
    }
  }

  it('makes every part as long as fits, whatever size it expects', () => {
    const bytesOf = pages(500).map(index => 100 + ((index * 7919) % 900))
    const best: number[] = []
    let sum = Infinity
    for (const bytes of bytesOf) {
      if (sum + bytes > 5000) best.push(0)
      sum = best.at(-1) === 0 ? 50 + bytes : sum + bytes
      best[best.length - 1] = (best.at(-1) ?? 0) + 1
    }
    for (const likely of [0, 1, 8, 500, 100_000])
      expect(cut(bytesOf, { maxBytes: 5000, likely, overhead: 50 }).counts).toEqual(best)
  })

  it('puts a page that is too large in a separate part', () => {
    expect(cut([10, 10, 999, 10, 10], { maxBytes: 100, likely: 5 })).toMatchObject({
      counts: [2, 1, 2],
      sizes: [20, 999, 20],
    })
    expect(cut([999, 999], { maxBytes: 100, likely: 1 }).counts).toEqual([1, 1])
  })

  it('writes few files if parts are alike, and otherwise at most a few times the logarithm', () => {
    const alike = cut(
      pages(1000).map(() => 100),
      { maxBytes: 2000, likely: 20 },
    )
    expect(alike.counts).toEqual(Array.from({ length: 50 }, () => 20))
    expect(alike.writes).toBeLessThanOrEqual(100)
    expect(
      cut(
        pages(10_000).map(() => 1),
        { maxBytes: 9000, likely: 1 },
      ).writes,
    ).toBeLessThanOrEqual(2 * 2 * Math.log2(10_000))
    const uneven = cut(
      pages(1024).map(index => (index < 512 ? 1 : 500)),
      { maxBytes: 1000, likely: 2, overhead: 400 },
    )
    expect(uneven.writes).toBeLessThanOrEqual(2 * uneven.counts.length + 40)
  })
})
