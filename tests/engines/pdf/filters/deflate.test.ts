import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deflate } from '../../../../engines/pdf/filters/deflate'
import { noise } from '../../../fixtures/draft'
import { latin } from '../../../fixtures/pdf-writer'

describe('deflate', () => {
  it('returns the bytes of zlib for data of any length', () => {
    const datas = [0, 1, 300, 16_319, 16_320, 16_384, 50_000].map(length => noise('deflate', length))
    for (const data of [...datas, latin('q 1 0 0 1 0 0 cm\n'.repeat(5000))])
      expect(deflateSync(data).equals(deflate(data)), String(data.length)).toBe(true)
  })

  it('keeps no large buffer for short data', () => {
    expect(deflate(latin('q 1 0 0 1 0 0 cm Q\n'.repeat(20))).buffer.byteLength).toBeLessThanOrEqual(8192)
  })
})
