import { describe, expect, it } from 'vitest'
import { createRefusalPace } from '../../../lib/http/refusal-pace'

describe('the pace of refusals', () => {
  it('holds back those of an account that was refused 20 times within a second', () => {
    let nowMs = 0
    const pace = createRefusalPace({ nowMs: () => nowMs, random: () => 0.5 })
    expect(Array.from({ length: 20 }, () => pace.delayMs('a'))).toEqual(Array.from({ length: 20 }, () => 0))
    expect(pace.delayMs('a')).toBe(1000)
    expect(pace.delayMs('b')).toBe(0)
    nowMs = 1000
    expect(pace.delayMs('a')).toBe(0)
  })
})
