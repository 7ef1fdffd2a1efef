import { expect, it } from 'vitest'
import { createRequestRate } from '../../../../lib/http/limits/request-rate'

it('allows a number of requests in each period, for each account', () => {
  let now = 0
  const rate = createRequestRate({ count: 2, periodMs: 60_000 }, () => now)
  expect([rate.take('a'), rate.take('a'), rate.take('a'), rate.take('b')]).toEqual([0, 0, 60, 0])
  now = 59_500
  expect(rate.take('a')).toBe(1)
  now = 60_000
  expect(rate.take('a')).toBe(0)
})
