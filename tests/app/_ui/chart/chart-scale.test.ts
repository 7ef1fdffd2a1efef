import { describe, expect, it } from 'vitest'
import { chooseTicks, shortDay } from '../../../../app/_ui/chart/chart-scale'

describe('the axis of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [17, [0, 5, 10, 15, 20]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [99_000, [0, 50_000, 100_000]],
  ])('has round labels up to %i', (most, ticks) => {
    expect(chooseTicks(most)).toEqual(ticks)
  })

  it('writes a day without its year', () => {
    expect(shortDay('2026-11-20')).toBe('20 Nov')
  })
})
