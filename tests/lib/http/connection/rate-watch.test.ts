import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchRate } from '../../../../lib/http/connection/rate-watch'

const RULES = { minRate: 1000, graceMs: 5000 }

describe('the minimum rate of a transfer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Bytes per second from the start, and the watch's result with the number of seconds until then. */
  function transfer(
    perSecond: number[],
    rules: Parameters<typeof watchRate>[0],
  ): { reason: string; second: number } | undefined {
    let ending: { reason: string; second: number } | undefined
    let second = 0
    const watch = watchRate(rules, reason => (ending = { reason, second }))
    let total = 0
    for (const bytes of perSecond) {
      second += 1
      total += bytes
      if (bytes > 0) watch.record(total)
      vi.advanceTimersByTime(1000)
      if (ending) break
    }
    watch.stop()
    return ending
  }

  const seconds = (count: number, bytes: number) => Array.from({ length: count }, () => bytes)

  it('accepts transfers that keep the rate, or end before the first measurement', () => {
    expect(transfer(seconds(120, 1001), RULES)).toBeUndefined()
    expect(transfer(seconds(24, 1), RULES)).toBeUndefined()
  })

  it('ends a slow transfer after the first window', () => {
    expect(transfer(seconds(60, 500), RULES)).toMatchObject({
      reason: 'too slow',
      second: expect.closeTo(25, -0.5) as number,
    })
  })

  it('is not misled by a fast start', () => {
    expect(transfer([...seconds(10, 1e6), ...seconds(60, 10)], RULES)).toMatchObject({
      reason: 'too slow',
      second: expect.closeTo(31, -0.5) as number,
    })
  })

  it('allows a pause that the rest of its window makes up for', () => {
    expect(transfer([...seconds(30, 4000), ...seconds(12, 0), ...seconds(30, 4000)], RULES)).toBeUndefined()
  })

  it('ends a transfer without a byte for too long, and one that takes too long', () => {
    expect(transfer([5000, ...seconds(20, 0)], { ...RULES, stallMs: 10_000 })).toMatchObject({ reason: 'stalled' })
    expect(transfer(seconds(100, 5000), { ...RULES, maxMs: 60_000 })).toMatchObject({ reason: 'too long', second: 60 })
  })

  it('does not count paused time', () => {
    const onSlow = vi.fn()
    const watch = watchRate({ ...RULES, stallMs: 10_000 }, onSlow)
    watch.pause()
    vi.advanceTimersByTime(60_000)
    watch.resume()
    vi.advanceTimersByTime(9000)
    expect(onSlow).not.toHaveBeenCalled()
    vi.advanceTimersByTime(4000)
    expect(onSlow).toHaveBeenCalledExactlyOnceWith('stalled')
    watch.stop()
  })

  it('reads the byte count if nobody reports it', () => {
    const onSlow = vi.fn()
    let bytes = 0
    watchRate({ ...RULES, graceMs: 0, count: () => (bytes += 900) }, onSlow)
    vi.advanceTimersByTime(19_000)
    expect(onSlow).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5000)
    expect(onSlow).toHaveBeenCalledExactlyOnceWith('too slow')
  })
})
