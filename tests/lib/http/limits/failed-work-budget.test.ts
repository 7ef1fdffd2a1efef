import { describe, expect, it } from 'vitest'
import { createFailedWork } from '../../../../lib/http/limits/failed-work-budget'

describe('the budget of failed work', () => {
  it('refuses an account that has used it up until the oldest work is 10 minutes old', () => {
    let now = 0
    const work = createFailedWork({ budgetMs: 1000, nowMs: () => now })
    work.note('a', 600)
    now = 60_000
    work.note('a', 300)
    expect(() => work.admit('a')).not.toThrow()
    work.note('a', 100)
    expect(() => work.admit('a')).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '540' } }),
    )
    expect(() => work.admit('b')).not.toThrow()
    now = 599_999
    expect(() => work.admit('a')).toThrow('Retry after 1 second.')
    now = 600_000
    expect(() => work.admit('a')).not.toThrow()
  })

  it('says when enough work has expired, if the oldest part is not enough', () => {
    let now = 0
    const work = createFailedWork({ budgetMs: 1000, nowMs: () => now })
    work.note('a', 100)
    now = 120_000
    work.note('a', 2000)
    expect(() => work.admit('a')).toThrow(expect.objectContaining({ headers: { 'Retry-After': '600' } }))
  })
})
