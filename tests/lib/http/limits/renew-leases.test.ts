import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLeases } from '../../../../lib/http/limits/renew-leases'
import { getLog } from '../../../../lib/log'
import { waitFor } from '../../../support/wait-for'

const AWAY = new Error('the database is away')

afterEach(() => void vi.useRealTimers())

/** Leases of a ledger that records its calls. */
function open(settings?: Parameters<typeof createLeases>[1]) {
  const ledger = {
    settle: vi.fn((_requestIds: string[]) => Promise.resolve()),
    refund: vi.fn((_requestId: string) => Promise.resolve({ balance: 7 })),
    renew: vi.fn((_requestIds: string[]) => Promise.resolve()),
  }
  return { ledger, leases: createLeases(() => ledger, settings) }
}

function createGate() {
  let open: () => void = () => {}
  const promise = new Promise<void>(resolve => (open = resolve))
  return { promise, resolve: () => open() }
}

describe('leases', () => {
  it('are renewed for all running requests at once, and no longer for ended requests', async () => {
    const { ledger, leases } = open()
    for (const id of ['a', 'b', 'c']) leases.hold(id)
    await leases.settle('a')
    expect(await leases.refund('b')).toEqual({ balance: 7 })
    await leases.renew()
    expect(ledger.renew.mock.calls).toEqual([[['c']]])
    await leases.close()
  })

  it('keep a delivered request alive until it is settled', async () => {
    const { ledger, leases } = open()
    leases.hold('a')
    ledger.settle.mockRejectedValueOnce(AWAY)
    await leases.settle('a')
    await leases.renew()
    expect(ledger.renew.mock.calls).toEqual([[['a']]])
    expect(ledger.settle).toHaveBeenCalledTimes(2)
    await leases.renew()
    expect(ledger.renew).toHaveBeenCalledTimes(1)
    await leases.close()
  })

  it('settle a delivered request once, within seconds after the database is back', async () => {
    vi.useFakeTimers()
    const { ledger, leases } = open()
    leases.hold('a')
    ledger.settle.mockRejectedValueOnce(AWAY).mockRejectedValueOnce(AWAY)
    await leases.settle('a', true)
    await vi.advanceTimersByTimeAsync(5000)
    expect(ledger.settle.mock.calls).toEqual([[['a']], [['a']], [['a']]])
    await leases.close()
    expect(ledger.settle).toHaveBeenCalledTimes(3)
  })

  it('settle requests that end in the meantime together, in the next statement', async () => {
    const { ledger, leases } = open()
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

  it('settle requests that end within a moment together, at most 50', async () => {
    vi.useFakeTimers()
    const { ledger, leases } = open({ gatherMs: 20 })
    void leases.settle('a')
    await vi.advanceTimersByTimeAsync(15)
    void leases.settle('b')
    expect(ledger.settle).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5)
    expect(ledger.settle.mock.calls).toEqual([[['a', 'b']]])
    const ids = Array.from({ length: 51 }, (_, index) => `id${index}`)
    const ended = ids.map(id => leases.settle(id))
    await ended[0]
    expect(ledger.settle.mock.calls.slice(1)).toEqual([[ids.slice(0, 50)]])
    await vi.advanceTimersByTimeAsync(20)
    expect(ledger.settle.mock.calls.slice(2)).toEqual([[ids.slice(50)]])
    await leases.close()
  })

  it('settle an urgent request at once, together with those that wait', async () => {
    const { ledger, leases } = open({ gatherMs: 60_000 })
    void leases.settle('a')
    await leases.settle('b', true)
    expect(ledger.settle.mock.calls).toEqual([[['a', 'b']]])
    void leases.settle('c')
    await leases.close()
    expect(ledger.settle.mock.calls).toEqual([[['a', 'b']], [['c']]])
  })

  it("retry requests separately after their common statement failed, so that one can't delay the others", async () => {
    vi.useFakeTimers()
    const { ledger, leases } = open()
    ledger.settle.mockImplementation(requestIds =>
      requestIds.includes('bad') ? Promise.reject(new Error('not this one')) : Promise.resolve(),
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
  })

  it('settle waiting requests at shutdown', async () => {
    const { ledger, leases } = open()
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

  it('settle a request that ends after the shutdown at once', async () => {
    const { ledger, leases } = open({ gatherMs: 60_000 })
    await leases.close()
    void leases.settle('late')
    await new Promise(resolve => setImmediate(resolve))
    expect(ledger.settle.mock.calls).toEqual([[['late']]])
  })

  it('stop quick attempts after a few, and settle the request in a later round', async () => {
    vi.useFakeTimers()
    const { ledger, leases } = open({ everyMs: 60_000, retriesMs: [100, 200] })
    leases.hold('a')
    ledger.settle.mockRejectedValue(AWAY)
    await leases.settle('a', true)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(ledger.settle).toHaveBeenCalledTimes(3)
    ledger.settle.mockResolvedValue()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(ledger.settle).toHaveBeenCalledTimes(4)
    await leases.close()
    expect(ledger.settle).toHaveBeenCalledTimes(4)
  })

  it('survive an unavailable database, and report it', async () => {
    const log = vi.spyOn(getLog(), 'warn')
    const { ledger, leases } = open()
    leases.hold('a')
    ledger.renew.mockRejectedValueOnce(AWAY)
    await leases.renew()
    ledger.settle.mockRejectedValueOnce(AWAY)
    await leases.settle('a', true)
    await leases.renew()
    expect(ledger.renew).toHaveBeenCalledTimes(2)
    expect(log.mock.calls).toEqual([
      [
        { cause: expect.objectContaining({ message: 'the database is away' }) },
        'failed to renew the leases of running requests, retrying',
      ],
      [
        { requestIds: ['a'], cause: expect.objectContaining({ message: 'the database is away' }) },
        'failed to settle charges, retrying',
      ],
    ])
    log.mockRestore()
    await leases.close()
  })

  it('wait at shutdown for running refunds and renewals', async () => {
    const { ledger, leases } = open()
    const gate = createGate()
    ledger.renew.mockReturnValueOnce(gate.promise)
    ledger.refund.mockReturnValueOnce(gate.promise.then(() => ({ balance: 7 })))
    const events: string[] = []
    leases.hold('a')
    leases.hold('b')
    void leases.renew().then(() => events.push('renewed'))
    void leases.refund('b').then(() => events.push('refunded'))
    const closed = leases.close().then(() => events.push('closed'))
    await new Promise(resolve => setImmediate(resolve))
    expect(events).toEqual([])
    gate.resolve()
    await closed
    expect(events.toSorted()).toEqual(['closed', 'refunded', 'renewed'])
    expect(events.at(-1)).toBe('closed')
  })

  it('are left alone after the shutdown', async () => {
    vi.useFakeTimers()
    const { ledger, leases } = open()
    leases.hold('a')
    ledger.settle.mockRejectedValue(AWAY)
    await leases.settle('a', true)
    await leases.close()
    const attempts = ledger.settle.mock.calls.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ledger.settle).toHaveBeenCalledTimes(attempts)
    expect(ledger.renew).not.toHaveBeenCalled()
  })

  it('wait at shutdown for running statements', async () => {
    const { ledger, leases } = open()
    leases.hold('a')
    ledger.settle.mockRejectedValueOnce(AWAY)
    await leases.settle('a')
    await leases.close()
    expect(ledger.settle).toHaveBeenCalledTimes(2)
  })
})
