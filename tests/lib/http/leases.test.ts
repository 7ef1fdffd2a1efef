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
