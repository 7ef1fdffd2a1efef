import { describe, expect, it } from 'vitest'
import { createFailedWork } from '../../../../lib/http/limits/failed-work-budget'

const paid = (accountId: string) => ({ accountId, network: '192.0.2.1', hasPaid: true })
const free = (accountId: string, network = '192.0.2.1') => ({ accountId, network, hasPaid: false })

describe('the budget of failed work', () => {
  it('refuses an account that has used it up until the oldest work is 10 minutes old', () => {
    let now = 0
    const work = createFailedWork({ budgetMs: 1000, nowMs: () => now })
    work.record(paid('a'), 600)
    now = 60_000
    work.record(paid('a'), 300)
    expect(() => work.admit(paid('a'))).not.toThrow()
    work.record(paid('a'), 100)
    expect(() => work.admit(paid('a'))).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '540' } }),
    )
    expect(() => work.admit(paid('a'))).toThrow('your account used 1 s of processing')
    expect(() => work.admit(paid('b'))).not.toThrow()
    now = 599_999
    expect(() => work.admit(paid('a'))).toThrow('Retry after 1 second.')
    now = 600_000
    expect(() => work.admit(paid('a'))).not.toThrow()
  })

  it('says when enough work has expired, if the oldest part is not enough', () => {
    let now = 0
    const work = createFailedWork({ budgetMs: 1000, nowMs: () => now })
    work.record(paid('a'), 100)
    now = 120_000
    work.record(paid('a'), 2000)
    expect(() => work.admit(paid('a'))).toThrow(expect.objectContaining({ headers: { 'Retry-After': '600' } }))
  })

  describe('of accounts that never paid', () => {
    const refusal = (retryAfter: string) =>
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': retryAfter } })
    const create = (now: () => number) => createFailedWork({ budgetMs: 10_000, freeBudgetMs: 1000, nowMs: now })

    it('is smaller, and one for all of them in a network', () => {
      const work = create(() => 0)
      for (const accountId of ['a', 'b', 'c', 'd']) work.record(free(accountId), 250)
      for (const accountId of ['a', 'new']) expect(() => work.admit(free(accountId))).toThrow(refusal('600'))
      expect(() => work.admit(free('new', '192.0.2.2'))).not.toThrow()
      expect(() => work.admit(paid('a'))).not.toThrow()
    })

    it('is one for an account in several networks', () => {
      const work = create(() => 0)
      for (let host = 1; host <= 4; host += 1) work.record(free('a', `198.51.100.${host}`), 250)
      expect(() => work.admit(free('a', '198.51.100.9'))).toThrow(refusal('600'))
      expect(() => work.admit(free('b', '198.51.100.9'))).not.toThrow()
    })
  })
})
