import { describe, expect, it, vi } from 'vitest'
import { createLeases } from '../../../../lib/http/limits/renew-leases'
import { waitFor } from '../../../support/wait-for'

function createLedger() {
  return {
    settle: vi.fn((_callIds: string[]) => Promise.resolve()),
    refund: vi.fn((_callId: string) => Promise.resolve({ balance: 7 })),
    renew: vi.fn((_callIds: string[]) => Promise.resolve()),
  }
}

function createGate() {
  let open: () => void = () => {}
  const promise = new Promise<void>(resolve => (open = resolve))
  return { promise, resolve: () => open() }
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
      expect(ledger.settle.mock.calls).toEqual([[['a']], [['a']], [['a']]])
      await leases.close()
      expect(ledger.settle).toHaveBeenCalledTimes(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('settle the calls that end meanwhile together, in the next statement', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    const first = createGate()
    ledger.settle.mockReturnValueOnce(first.promise)
    const ended = ['a', 'b', 'c'].map(id => leases.settle(id))
    await waitFor(() => expect(ledger.settle).toHaveBeenCalledTimes(1))
    ended.push(...['d', 'e'].map(id => leases.settle(id)))
    await Promise.resolve()
    expect(ledger.settle.mock.calls).toEqual([[['a', 'b', 'c']]])
    first.resolve()
    await Promise.all(ended)
    expect(ledger.settle.mock.calls).toEqual([[['a', 'b', 'c']], [['d', 'e']]])
    await leases.close()
    expect(ledger.settle).toHaveBeenCalledTimes(2)
  })

  it('try calls whose common statement failed each by itself, so that one cannot hold up the others', async () => {
    vi.useFakeTimers()
    try {
      const ledger = createLedger()
      const leases = createLeases(() => ledger)
      ledger.settle.mockImplementation(callIds =>
        callIds.includes('bad') ? Promise.reject(new Error('not this one')) : Promise.resolve(),
      )
      for (const id of ['a', 'bad', 'b']) {
        leases.hold(id)
        void leases.settle(id)
      }
      await vi.advanceTimersByTimeAsync(300)
      expect(ledger.settle.mock.calls).toEqual([[['a', 'bad', 'b']], [['a']], [['bad']], [['b']]])
      await leases.renew()
      expect(ledger.renew.mock.calls).toEqual([[['bad']]])
      await leases.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('settle at the end what waits for others to be settled', async () => {
    const ledger = createLedger()
    const leases = createLeases(() => ledger)
    const first = createGate()
    ledger.settle.mockReturnValueOnce(first.promise)
    void leases.settle('a')
    await waitFor(() => expect(ledger.settle).toHaveBeenCalledTimes(1))
    void leases.settle('b')
    const closed = leases.close()
    first.resolve()
    await closed
    expect(ledger.settle.mock.calls).toEqual([[['a']], [['b']]])
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
