import { describe, expect, it } from 'vitest'
import { longestIncreasing, matchSequences } from '../../../../engines/features/comparison/wording/match-sequences'

const codes = (text: string): number[] => Array.from(text, character => character.charCodeAt(0))

/** The length of the longest common subsequence, by the textbook table. */
function countCommon(one: readonly number[], other: readonly number[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0)
  for (const item of one) {
    const next = [0]
    for (const [index, candidate] of other.entries())
      next.push(item === candidate ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

function check(one: readonly number[], other: readonly number[]): number {
  const matches = matchSequences(one, other)
  const pairs = [...matches.entries()].filter(([, match]) => match >= 0)
  const wrong = pairs.filter(([index, match], at) => other[match] !== one[index] || match <= (pairs[at - 1]?.[1] ?? -1))
  expect(wrong).toEqual([])
  return pairs.length
}

describe('matchSequences', () => {
  it('matches as many items as possible in short sequences', () => {
    let state = 1
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return (state >>> 8) % below
    }
    for (let round = 0; round < 200; round++) {
      const make = (): number[] => Array.from({ length: random(25) }, () => random(4))
      const [one, other] = [make(), make()]
      expect(check(one, other)).toBe(countCommon(one, other))
    }
  })

  it('matches equal, empty and different sequences', () => {
    expect([...matchSequences(codes('same'), codes('same'))]).toEqual([0, 1, 2, 3])
    expect([...matchSequences([], codes('a'))]).toEqual([])
    expect([...matchSequences(codes('ab'), codes('cd'))]).toEqual([-1, -1])
  })

  it('matches long sequences with few differences completely', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 5003)
    const edited = [...long.slice(0, 100), -1, ...long.slice(100, 70_000), ...long.slice(70_010), -2, -3]
    expect(check(long, edited)).toBe(100_000 - 10)
  })

  it('gives up on long sequences without structure', () => {
    let reads = 0
    const make = (seed: number): number[] =>
      new Proxy(
        Array.from({ length: 60_000 }, (_, index) => (Math.imul(index + seed, 2654435761) >>> 28) % 3),
        { get: (items, key) => (reads++, Reflect.get(items, key)) },
      )
    matchSequences(make(1), make(977))
    expect(reads).toBeLessThan(5_000_000) // All with all would be 3.6 billion.
  })
})

describe('longestIncreasing', () => {
  it('keeps the most pairs whose second numbers increase', () => {
    const pairs = [5, 1, 6, 2, 7, 3].map((value, index): [number, number] => [index, value])
    expect(longestIncreasing(pairs).map(([, value]) => value)).toEqual([1, 2, 3])
  })
})
