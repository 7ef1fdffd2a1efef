import { describe, expect, it } from 'vitest'
import {
  assertAnnouncedLength,
  readBodyType,
  readHandling,
  readIdempotencyKey,
  readQueryNames,
} from '../../../../lib/http/request/request-head'

describe('the type of a body', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON; charset=UTF-8', 'json'],
    ['multipart/form-data; boundary=b', 'multipart'],
    ['MULTIPART/FORM-DATA ; boundary="b"', 'multipart'],
  ])('is read from %s', (header, kind) => {
    expect(readBodyType({ 'content-type': header })).toEqual({ kind, header })
  })

  it.each([undefined, '', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/mixed'])(
    'is refused if it is %s',
    header => {
      expect(() => readBodyType({ 'content-type': header })).toThrowError(
        expect.objectContaining({ code: 'unsupported_media_type' }),
      )
    },
  )

  it('is refused with any encoding but identity', () => {
    const type = { 'content-type': 'application/json' }
    expect(() => readBodyType({ ...type, 'content-encoding': 'gzip' })).toThrowError(/Content-Encoding/)
    expect(readBodyType({ ...type, 'content-encoding': 'Identity' }).kind).toBe('json')
  })
})

it('refuses an announced length over the limit and names the limit', () => {
  assertAnnouncedLength({ 'content-length': '100' }, 100)
  expect(() => assertAnnouncedLength({ 'content-length': '101' }, 100)).toThrowError(
    expect.objectContaining({ code: 'payload_too_large', body: { maxBytes: 100 } }),
  )
})

it.each([
  [undefined, 'default'],
  ['handling=lenient', 'lenient'],
  ['respond-async, handling = strict; wait=10', 'strict'],
  ['HANDLING="LENIENT"', 'lenient'],
  ['handling=lenient, handling=strict', 'lenient'],
  ['handling=sloppy', 'default'],
  ['handling', 'default'],
  ['x-handling=strict', 'default'],
])('reads the handling in Prefer: %s', (prefer, handling) => {
  expect(readHandling(prefer === undefined ? {} : { prefer })).toBe(handling)
})

it('reads the names in a query string', () => {
  expect(readQueryNames('/path')).toEqual([])
  expect(readQueryNames('/path?')).toEqual([])
  expect(readQueryNames('/path?a=1&a=2&b%20c=%zz&=x')).toEqual(['a', 'b c', ''])
})

it('accepts an Idempotency-Key of up to 255 printable characters', () => {
  const read = (key: string) => readIdempotencyKey({ 'idempotency-key': key }, 'invalid_payload')
  expect(readIdempotencyKey({}, 'invalid_payload')).toBeUndefined()
  expect(read('order 7/a')).toBe('order 7/a')
  expect(read('x'.repeat(255))).toHaveLength(255)
  for (const key of ['', 'x'.repeat(256), 'schlüssel', 'a\u0000b'])
    expect(() => read(key)).toThrowError(/^Idempotency-Key: must be/)
})
