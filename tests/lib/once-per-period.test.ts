import { describe, expect, it } from 'vitest'
import { createOncePerPeriod } from '../../lib/once-per-period'

describe('once per period', () => {
  it('is due again after the period, for each name', () => {
    let now = 0
    const once = createOncePerPeriod(1000, () => now)
    expect([once.isDue('a'), once.isDue('a'), once.isDue('b')]).toEqual([true, false, true])
    now = 999
    expect(once.isDue('a')).toBe(false)
    now = 1000
    expect([once.isDue('a'), once.isDue('a')]).toEqual([true, false])
  })

  it('forgets the oldest names if there are too many', () => {
    const once = createOncePerPeriod(1000, () => 0)
    for (let index = 0; index <= 10_001; index++) once.isDue(String(index))
    expect(once.isDue('0')).toBe(true)
    expect(once.isDue('10001')).toBe(false)
  })
})
