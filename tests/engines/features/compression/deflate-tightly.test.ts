import { deflateSync, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openDeflate } from '../../../../engines/features/compression/deflate-tightly'
import { noise } from '../../../fixtures/draft'
import { makeSentence } from '../../../fixtures/written-pages'

const prose = Buffer.from(Array.from({ length: 400 }, (_, seed) => makeSentence(seed)).join('\n'))

it.each<[string, Uint8Array, number]>([
  ['nothing', new Uint8Array(), 2],
  ['one byte', Uint8Array.of(7), 2],
  ['random bytes', noise('bytes', 70_000), 1],
  ['text', prose, 0.96],
  ['a table', Uint8Array.from({ length: 30_000 }, (_, at) => (at % 6 === 5 ? at * at : at / 600)), 0.97],
])('deflates %s so that zlib restores it', async (_name, data, share) => {
  const deflated = (await openDeflate())()(data)
  expect(inflateSync(deflated).equals(data)).toBe(true)
  expect(deflated.length).toBeLessThanOrEqual(deflateSync(data, { level: 9 }).length * share)
})

it('leaves data to zlib after the budget of a document is used up', async () => {
  const createDeflate = await openDeflate()
  const deflate = createDeflate()
  deflate(new Uint8Array(4_000_000 - prose.length + 1))
  expect(Buffer.compare(deflate(prose), deflateSync(prose, { level: 9 }))).toBe(0)
  expect(createDeflate()(prose).length).toBeLessThan(deflate(prose).length)
})

it('adds no listener for stray errors', async () => {
  await openDeflate()
  expect(process.listeners('unhandledRejection').map(String)).not.toContainEqual(expect.stringContaining('throw'))
})
