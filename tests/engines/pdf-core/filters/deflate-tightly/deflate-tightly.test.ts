import { readFileSync } from 'node:fs'
import { deflateSync, inflateSync } from 'node:zlib'
import pako from 'pako'
import { describe, expect, it } from 'vitest'
import { findPackageFile } from '../../../../../engines/package-file'
import { DeflateBudget } from '../../../../../engines/pdf-core/filters/deflate-tightly/deflate-budget'
import { deflateTightly } from '../../../../../engines/pdf-core/filters/deflate-tightly/deflate-tightly'
import { noise } from '../../../../fixtures/draft'
import { makeSentence } from '../../../../fixtures/written-pages'
import { IS_COMPLETE } from '../../../../support/scope'

const FAR = 32_768

const prose = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, seed) => makeSentence(seed)).join('\n'))
const font = readFileSync(findPackageFile('@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf')).subarray(
  0,
  90_000,
)
const table = Uint8Array.from({ length: 30_000 }, (_, at) => (at % 6 === 5 ? at * at : at % 6 === 4 ? at / 600 : 0))

/** Data in which the last 300 bytes occurred once before, at this distance. */
function repeatAt(distance: number): Uint8Array {
  const data = noise(`at ${distance}`, distance + 300).map(byte => byte & 127)
  data.copyWithin(distance, 0, 300)
  return data
}

function checkDeflated(data: Uint8Array): Uint8Array {
  const deflated = deflateTightly(data)
  expect(inflateSync(deflated).equals(data)).toBe(true)
  expect(deflated.length).toBeLessThanOrEqual(deflateSync(data, { level: 9 }).length)
  return deflated
}

describe('deflateTightly', () => {
  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['one byte', Uint8Array.of(7)],
    ['two bytes', Uint8Array.of(7, 7)],
    ['all byte values', Uint8Array.from({ length: 256 }, (_, at) => at)],
    ['all byte values with repetitions', Uint8Array.from({ length: 5000 }, (_, at) => at * ((at >> 8) | 1))],
    ['zeros', new Uint8Array(2 ** 20)],
    ['few zeros', new Uint8Array(3000)],
    ['data above the limit', new Uint8Array(2 ** 20 + 1)],
    ['random bytes', noise('bytes', 70_000)],
    ['text', prose(400)],
    ['a font', font],
    ['a table', table],
    ['text, random bytes and a table', Buffer.concat([prose(100), noise('between', 66_000), table, prose(50)])],
    [
      'lengths around 258',
      Buffer.concat([257, 258, 259, 516, 517, 3, 4].map(size => noise('same', 600).subarray(0, size))),
    ],
    ['a period of 257', Uint8Array.from({ length: 20_000 }, (_, at) => ((at % 257) * 7) ^ (at % 5000 === 0 ? 1 : 0))],
    ['several segments', noise('segments', 290_000).map(byte => byte & 63)],
    ['the greatest distance', repeatAt(FAR)],
    ['more than the greatest distance', repeatAt(FAR + 1)],
  ])('deflates %s so that two decoders restore it, and not larger than zlib', (_name, data) => {
    const deflated = checkDeflated(data)
    expect(Buffer.from(pako.inflate(deflated)).equals(data)).toBe(true)
    expect(Buffer.compare(deflateTightly(data), deflated)).toBe(0)
  })

  it('saves at least 3 % of what zlib needs for text, fonts and tables', () => {
    for (const data of [prose(400), font, table])
      expect(deflateTightly(data).length / deflateSync(data, { level: 9 }).length).toBeLessThan(0.97)
  })

  it('uses the greatest distance', () => {
    expect(deflateTightly(repeatAt(FAR)).length).toBeLessThan(deflateTightly(repeatAt(FAR + 1)).length - 200)
  })

  it('restores inputs of mixed structure', () => {
    const random = makeRandom(1)
    for (let round = 0; round < (IS_COMPLETE ? 2000 : 200); round++) {
      const data = makeMixed(random, random(round % 100 === 0 ? 6000 : 300))
      expect(checkDeflated(data).length).toBeGreaterThan(0)
    }
  })
})

describe('DeflateBudget', () => {
  it('leaves data to zlib after the budget is used up', () => {
    const budget = new DeflateBudget()
    const text = prose(100)
    const usual = deflateSync(text, { level: 9 })
    expect(budget.deflate(text).length).toBeLessThan(usual.length)
    budget.deflate(new Uint8Array(200_000 - text.length))
    expect(Buffer.compare(budget.deflate(text), usual)).toBe(0)
  })
})

/** Returns a function that returns pseudorandom integers below a limit. */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Makes data of random bytes, runs, copies of earlier bytes, and text. */
function makeMixed(random: (limit: number) => number, size: number): Uint8Array {
  const data = new Uint8Array(size)
  const values = 1 + random(256)
  for (let at = 0; at < size;) {
    const end = Math.min(size, at + 1 + random(random(4) === 0 ? 600 : 30))
    const kind = random(4)
    const distance = 1 + random(at)
    const value = random(values)
    for (; at < end; at++) {
      if (kind === 0) data[at] = random(values)
      else if (kind === 1) data[at] = value
      else if (kind === 2) data[at] = data[at - distance] ?? 0
      else data[at] = 97 + random(4)
    }
  }
  return data
}
