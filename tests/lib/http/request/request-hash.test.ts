import { expect, it } from 'vitest'
import { hashRequest } from '../../../../lib/http/request/request-hash'

const body = (fields: Record<string, unknown>, content = ['abc'], name = 'a.pdf', field = 'file') => ({
  encoding: 'json' as const,
  fields,
  files: [{ field, name, chunks: content.map(text => Buffer.from(text)), byteLength: content.join('').length }],
})

it('is the same for the same request, whatever the order of keys and the chunks of the files', async () => {
  const hash = await hashRequest('op', body({ options: { a: 1, b: { c: 2, d: undefined } } }), 'secret')
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await hashRequest('op', body({ options: { b: { c: 2 }, a: 1 } }, ['a', 'bc']), 'secret')).toBe(hash)
})

it('differs when anything else differs', async () => {
  const hashes = await Promise.all([
    hashRequest('op', body({ options: { a: 1 } }), 'secret'),
    hashRequest('other', body({ options: { a: 1 } }), 'secret'),
    hashRequest('op', body({ options: { a: '1' } }), 'secret'),
    hashRequest('op', body({ options: { a: [1] } }), 'secret'),
    hashRequest('op', body({ options: JSON.parse('{"a":1,"__proto__":2}') }), 'secret'),
    hashRequest('op', body({ options: { a: 1 } }, ['abd']), 'secret'),
    hashRequest('op', body({ options: { a: 1 } }, ['abc'], 'b.pdf'), 'secret'),
    hashRequest('op', body({ options: { a: 1 } }, ['abc'], 'a.pdf', 'files'), 'secret'),
  ])
  expect(new Set(hashes).size).toBe(hashes.length)
})

it('depends on the secret of the server, so that a stored hash reveals nothing', async () => {
  const request = body({ options: { password: '1234' } })
  expect(await hashRequest('op', request, 'one secret')).not.toBe(await hashRequest('op', request, 'another secret'))
})
