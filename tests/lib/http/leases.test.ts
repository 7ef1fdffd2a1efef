import { describe, expect, it, vi } from 'vitest'
import { createLeases } from '../../../lib/http/leases'

function createLedger() {
  return {
    settle: vi.fn((_callId: string) => Promise.resolve()),
    refund: vi.fn((_callId: string) => Promise.resolve({ balance: 7 })),
    renew: vi.fn((_callIds: string[]) => Promise.resolve()),
  }
}

describe('leases', () => {
  it('are renewed for all running calls at once, and no longer for those that ended', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    for (const id of ['a', 'b', 'c']) leases.hold(id)
    await leases.settle('a')
    expect(await leases.refund('b')).toEqual({ balance: 7 })
    await leases.renew()
    expect(ledger.renew.mock.calls).toEqual([[['c']]])
    await leases.close()
  })

  it('keep a delivered call alive until it could be settled', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    leases.hold('a')
    ledger.settle.mockRejectedValueOnce(new Error('the database is away'))
    await leases.settle('a')
    await leases.renew()
    expect(ledger.renew.mock.calls).toEqual([[['a']]])
    expect(ledger.settle).toHaveBeenCalledTimes(2)
    await leases.renew()
    expect(ledger.renew).toHaveBeenCalledTimes(1)
    await leases.close()
  })

  it('settle a delivered call within seconds when the database is back, and not again', async () => {
    vi.useFakeTimers()
    try {
      const ledger = createLedger()
      const leases = createLeases(() => ledger)
      leases.hold('a')
      const away = new Error('the database is away')
      ledger.settle.mockRejectedValueOnce(away).mockRejectedValueOnce(away)
      await leases.settle('a')
      await vi.advanceTimersByTimeAsync(5000)
      expect(ledger.settle.mock.calls).toEqual([['a'], ['a'], ['a']])
      await leases.close()
      expect(ledger.settle).toHaveBeenCalledTimes(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('give up the quick attempts after some, and settle the call with a later round', async () => {
    vi.useFakeTimers()
    try {
      const ledger = createLedger()
      const leases = createLeases(() => ledger, { everyMs: 60_000, retriesMs: [100, 200] })
      leases.hold('a')
      ledger.settle.mockRejectedValue(new Error('the database is away'))
      await leases.settle('a')
      await vi.advanceTimersByTimeAsync(30_000)
      expect(ledger.settle).toHaveBeenCalledTimes(3)
      ledger.settle.mockResolvedValue()
      await vi.advanceTimersByTimeAsync(30_000)
      expect(ledger.settle).toHaveBeenCalledTimes(4)
      await leases.close()
      expect(ledger.settle).toHaveBeenCalledTimes(4)
    } finally {
      vi.useRealTimers()
    }
  })

  it('survive a database that is away', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    leases.hold('a')
    ledger.renew.mockRejectedValueOnce(new Error('the database is away'))
    await leases.renew()
    await leases.renew()
    expect(ledger.renew).toHaveBeenCalledTimes(2)
    await leases.close()
  })

  it('wait at the end for what is under way', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    leases.hold('a')
    ledger.settle.mockRejectedValueOnce(new Error('the database is away'))
    await leases.settle('a')
    await leases.close()
    expect(ledger.settle).toHaveBeenCalledTimes(2)
  })
})
