import { describe, expect, it } from 'vitest'
import { codeLengths } from '../../../../../engines/pdf-core/filters/deflate-tightly/code-lengths'

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
/** The share of all codes that a code uses. It is 1 if the code is complete. */
const share = (lengths: Uint8Array): number => sum([...lengths].filter(Boolean).map(length => 2 ** -length))
const size = (counts: Uint32Array, lengths: Uint8Array): number =>
  sum(counts.map((count, at) => count * (lengths[at] ?? 0)))

describe('codeLengths', () => {
  const fibonacci = new Uint32Array(24).fill(1)
  for (let at = 2; at < 24; at++) fibonacci[at] = (fibonacci[at - 1] ?? 0) + (fibonacci[at - 2] ?? 0)

  it('makes complete codes within the limit', () => {
    for (const limit of [5, 7, 15, 24]) {
      const lengths = codeLengths(fibonacci, limit)
      expect(share(lengths)).toBe(1)
      expect(Math.max(...lengths)).toBe(Math.min(limit, 23))
    }
  })

  it('makes the shortest code', () => {
    // These are the sizes of the codes by hand: (1 1) 2 4 8, and the same with 3 bits at most.
    const counts = Uint32Array.of(1, 1, 2, 4, 8)
    expect([...codeLengths(counts, 15)]).toEqual([4, 4, 3, 2, 1])
    expect(size(counts, codeLengths(counts, 3))).toBe(32)
    expect(size(fibonacci, codeLengths(fibonacci, 22))).toBe(size(fibonacci, codeLengths(fibonacci, 23)) + 1)
  })

  it('has two symbols for fewer used ones', () => {
    expect([...codeLengths(Uint32Array.of(0, 0, 0), 7)]).toEqual([1, 1, 0])
    expect([...codeLengths(Uint32Array.of(0, 0, 9), 7)]).toEqual([1, 0, 1])
    expect([...codeLengths(Uint32Array.of(9, 0, 0), 7)]).toEqual([1, 1, 0])
  })
})
