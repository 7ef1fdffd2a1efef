import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRefusalPace, waitUnlessAborted } from '../../../../lib/http/limits/refusal-rate'

describe('the rate of refusals', () => {
  it('sends 20 refusals to an account at once, and then 100 per second', () => {
    let nowMs = 5000
    const pace = createRefusalPace(() => nowMs)
    expect(Array.from({ length: 20 }, () => pace.delayMs('a'))).toEqual(Array.from({ length: 20 }, () => 0))
    expect([pace.delayMs('a'), pace.delayMs('a')]).toEqual([210, 220])
    expect(pace.delayMs('b')).toBe(0)
    nowMs = 6000
    expect(pace.delayMs('a')).toBe(0)
  })

  it('delays none for more than 10 s', () => {
    const pace = createRefusalPace(() => 5000)
    for (let index = 0; index < 2000; index++) pace.delayMs('a')
    expect(pace.delayMs('a')).toBe(10_000)
  })

  it('remembers at most 10,000 accounts', () => {
    const pace = createRefusalPace(() => 5000)
    for (let index = 0; index < 100; index++) pace.delayMs('a')
    for (let index = 0; index < 10_000; index++) pace.delayMs(`other ${index}`)
    expect(pace.delayMs('a')).toBe(0)
  })

  it('ends a delay when the client is gone, and not before', async () => {
    const client = new AbortController()
    let hasEnded = false
    const delay = waitUnlessAborted(60_000, client.signal).then(() => (hasEnded = true))
    await setImmediate()
    expect(hasEnded).toBe(false)
    client.abort()
    await delay
  })
})
