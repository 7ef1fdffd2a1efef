import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRequestQueue } from '../../../../lib/http/limits/request-queue'

const SETTINGS = {
  perAccount: 2,
  capacity: { engines: 3, browser: 1, network: 1 },
  maxWaiting: 4,
  maxWaitingPerAccount: 100,
  timeoutMs: 1000,
}
const paid = (accountId: string) => ({ accountId, network: '192.0.2.1', hasPaid: true })
const never = new AbortController().signal

/** Runs the callbacks of settled promises. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the request queue', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function createRun(turnstile = createRequestQueue(SETTINGS)) {
    const started: string[] = []
    const releases = new Map<string, () => void>()
    const enter = (name: string, signal = never) =>
      turnstile.acquire(paid(name.slice(0, 1)), signal).then(release => {
        started.push(name)
        releases.set(name, release)
      })
    return { turnstile, started, enter, release: (name: string) => releases.get(name)?.() }
  }

  it("runs an account's concurrency limit and queues the next request", async () => {
    const { started, enter, release, turnstile } = createRun()
    void enter('a1')
    void enter('a2')
    void enter('a3')
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    release('a1')
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3'])
    expect(turnstile.status()).toEqual({ running: 2, waiting: 0 })
  })

  it('alternates between accounts, and keeps the order within each account', async () => {
    const { started, enter, release } = createRun(
      createRequestQueue({
        ...SETTINGS,
        perAccount: 1,
        capacity: { engines: 0, browser: 0, network: 1 },
        maxWaiting: 100,
      }),
    )
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void enter(name)
    await settle()
    for (let index = 0; index < 6; index++) {
      release(started.at(-1) ?? '')
      await settle()
    }
    expect(started).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('keeps the limit and the order of an account while some of its requests run', async () => {
    const { started, enter, release } = createRun()
    void enter('a1')
    void enter('a2')
    await settle()
    release('a1')
    for (const name of ['a3', 'a4', 'a5']) void enter(name)
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3'])
    release('a2')
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it.each(['ended', 'was canceled'])(
    'starts a new request of an account after earlier ones if its last one %s',
    async how => {
      const { started, enter, release } = createRun(
        createRequestQueue({ ...SETTINGS, perAccount: 1, capacity: { engines: 0, browser: 0, network: 1 } }),
      )
      const controller = new AbortController()
      if (how === 'ended') {
        await enter('a1')
        release('a1')
      }
      await enter('x1')
      if (how === 'was canceled') {
        const gone = expect(enter('a1', controller.signal)).rejects.toMatchObject({ name: 'ClientGone' })
        controller.abort()
        await gone
      }
      void enter('b1')
      void enter('a2')
      await settle()
      release('x1')
      await settle()
      expect(started.slice(-2)).toEqual(['x1', 'b1'])
    },
  )

  it('prefers a new account to one that already uses several slots', async () => {
    const { started, enter, release } = createRun(createRequestQueue({ ...SETTINGS, perAccount: 8, maxWaiting: 100 }))
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) void enter(name)
    await settle()
    release('a1')
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  it('has one more slot in each lane for accounts without a running request', async () => {
    const { started, enter, release, turnstile } = createRun(
      createRequestQueue({ ...SETTINGS, perAccount: 8, maxWaiting: 100 }),
    )
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void enter(name)
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
    release('b1')
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
    release('b2')
    await settle()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
    const pages: string[] = []
    for (const name of ['d', 'd', 'e'])
      void turnstile.acquire(paid(name), never, 'browser').then(() => pages.push(name))
    await settle()
    expect(pages).toEqual(['d', 'e'])
  })

  it('does not let browser requests delay engine requests', async () => {
    const turnstile = createRequestQueue({ ...SETTINGS, perAccount: 8 })
    const started: string[] = []
    const enter = (name: string, lane: 'engines' | 'browser') =>
      void turnstile.acquire(paid('a'), never, lane).then(() => started.push(name))
    enter('page 1', 'browser')
    enter('page 2', 'browser')
    enter('tool', 'engines')
    await settle()
    expect(started).toEqual(['page 1', 'tool'])
    expect(turnstile.status()).toEqual({ running: 2, waiting: 1 })
  })

  it('neither times out nor aborts a request that has started after it waited', async () => {
    const { started, enter, release, turnstile } = createRun(createRequestQueue({ ...SETTINGS, perAccount: 1 }))
    const controller = new AbortController()
    void enter('a1')
    void enter('a2', controller.signal)
    await settle()
    release('a1')
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    await vi.advanceTimersByTimeAsync(1000)
    controller.abort()
    expect(turnstile.status()).toEqual({ running: 1, waiting: 0 })
  })

  it('says after the wait that unread responses hold the request back, and starts it if woken before', async () => {
    let isFull = true
    const { started, enter, turnstile } = createRun(createRequestQueue({ ...SETTINGS, mayStart: () => !isFull }))
    const refused = expect(enter('a1')).rejects.toThrow('Output limit reached')
    await vi.advanceTimersByTimeAsync(1000)
    await refused
    void enter('b1')
    await settle()
    expect(started).toEqual([])
    isFull = false
    turnstile.wake()
    await settle()
    expect(started).toEqual(['b1'])
  })

  it('frees a slot once, however often it is released', async () => {
    const { enter, release, turnstile } = createRun()
    void enter('a1')
    void enter('b1')
    await settle()
    release('a1')
    release('a1')
    expect(turnstile.status()).toEqual({ running: 1, waiting: 0 })
  })

  it('has exactly its places, the last quarter of them for accounts without a waiting request', async () => {
    const { turnstile, enter } = createRun(createRequestQueue({ ...SETTINGS, perAccount: 1 }))
    const refusals: unknown[] = []
    const tryTo = async (name: string) => {
      void enter(name).catch((error: unknown) => refusals.push([name, error]))
      await settle()
      return turnstile.status().waiting
    }
    const waiting: number[] = []
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'a3', 'b2', 'b3', 'c2', 'd2']) waiting.push(await tryTo(name))
    expect(waiting).toEqual([0, 0, 0, 0, 1, 2, 3, 3, 4, 4])
    const busy = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } }) as unknown
    expect(refusals).toEqual([
      ['b3', busy],
      ['d2', busy],
    ])
  })

  it('keeps exactly the configured number of waiting requests for each account', async () => {
    const { turnstile, enter } = createRun(
      createRequestQueue({ ...SETTINGS, maxWaiting: 100, maxWaitingPerAccount: 2 }),
    )
    for (const name of ['a1', 'a2', 'a3']) void enter(name)
    await settle()
    expect(() => turnstile.assertAllowed(paid('a'))).not.toThrow()
    void enter('a4')
    await settle()
    expect(() => turnstile.assertAllowed(paid('a'))).toThrow('Queue limit reached: 2 waiting requests.')
    let refused: unknown
    void enter('a5').catch((error: unknown) => (refused = error))
    await settle()
    expect(refused).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '5' } })
    expect(turnstile.status()).toEqual({ running: 2, waiting: 2 })
  })

  it('passes a slot on in the next round of the event loop', async () => {
    const { started, enter, release } = createRun(createRequestQueue({ ...SETTINGS, perAccount: 1 }))
    await enter('a1')
    void enter('a2')
    release('a1')
    for (let step = 0; step < 9; step++) await Promise.resolve()
    expect(started).toEqual(['a1'])
    await settle()
    expect(started).toEqual(['a1', 'a2'])
  })

  it('still accepts a request that can start at once if too many wait', async () => {
    const { started, enter } = createRun()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(name)
    await enter('b1')
    expect(started).toContain('b1')
  })

  it('returns rate_limited to an account that uses all its slots', async () => {
    const { enter } = createRun()
    void enter('a1')
    void enter('a2')
    const refused = expect(enter('a3')).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '5' } })
    await vi.advanceTimersByTimeAsync(1000)
    await refused
  })

  it('does not return rate_limited for slots that others use', async () => {
    const { enter } = createRun()
    void enter('a1')
    void enter('a2')
    void enter('b1')
    void enter('c1')
    const refused = expect(enter('d1')).rejects.toMatchObject({ code: 'service_unavailable' })
    await vi.advanceTimersByTimeAsync(1000)
    await refused
  })

  it('removes a request whose client has disconnected', async () => {
    const { started, enter, release, turnstile } = createRun()
    const controller = new AbortController()
    void enter('a1')
    void enter('a2')
    const gone = expect(enter('a3', controller.signal)).rejects.toMatchObject({ name: 'ClientGone' })
    controller.abort()
    await gone
    await expect(enter('a4', controller.signal)).rejects.toMatchObject({ name: 'ClientGone' })
    release('a1')
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    expect(turnstile.status()).toEqual({ running: 1, waiting: 0 })
  })

  it('limits the requests per second of each account if configured', () => {
    let nowMs = 10_000
    const turnstile = createRequestQueue({ ...SETTINGS, perSecond: 2, nowMs: () => nowMs })
    turnstile.assertAllowed(paid('a'))
    turnstile.assertAllowed(paid('a'))
    expect(() => turnstile.assertAllowed(paid('a'))).toThrowError(/2 requests per second/)
    nowMs = 10_010
    for (let index = 0; index < 1000; index += 1) turnstile.assertAllowed(paid(`other ${index}`))
    expect(() => turnstile.assertAllowed(paid('a'))).toThrowError('Retry after 1 second.')
    turnstile.assertAllowed(paid('b'))
    nowMs = 10_510
    turnstile.assertAllowed(paid('a'))
    expect(() => turnstile.assertAllowed(paid('a'))).toThrowError(/per second/)
  })

  describe('with accounts that never paid', () => {
    /** Names such as `free1.b` are an account and its network. Other names are accounts that paid. */
    const requester = (name: string) => {
      const [accountId = '', network = '192.0.2.1'] = name.split('.')
      return { accountId, network, hasPaid: !accountId.startsWith('free') }
    }
    function createMixed(settings: Partial<Parameters<typeof createRequestQueue>[0]> = {}) {
      const queue = createRequestQueue({
        ...SETTINGS,
        perAccount: 8,
        capacity: { engines: 8, browser: 4, network: 1 },
        maxWaiting: 100,
        ...settings,
      })
      const started: string[] = []
      const releases: (() => void)[] = []
      const enter = (name: string, lane: 'engines' | 'browser' = 'browser') =>
        queue.acquire(requester(name), never, lane).then(release => {
          started.push(name)
          releases.push(release)
        })
      return { queue, started, enter, releaseFirst: () => releases.shift()?.() }
    }

    it('gives one network half of the browser lane, however many accounts it has', async () => {
      const { started, enter, queue } = createMixed()
      for (let index = 1; index <= 14; index += 1) void enter(`free${index}.a`).catch(() => {})
      await settle()
      expect(started).toEqual(['free1.a', 'free2.a'])
      expect(queue.lanes().browser).toMatchObject({ running: 2, waiting: 12 })
      const refused = expect(enter('free15.a')).rejects.toMatchObject({
        code: 'rate_limited',
        message: expect.stringContaining('your network reached: 2 requests'),
      })
      await vi.advanceTimersByTimeAsync(1000)
      await refused
    })

    it('keeps a quarter of a lane and one more slot for accounts that paid', async () => {
      const { started, enter } = createMixed()
      for (const network of ['a', 'b', 'c', 'd', 'e']) void enter(`free.${network}`)
      await settle()
      expect(started).toEqual(['free.a', 'free.b', 'free.c'])
      for (const name of ['ada', 'ben', 'cyd']) void enter(name)
      await settle()
      expect(started.slice(3)).toEqual(['ada', 'ben'])
    })

    it('leaves at least one slot to them, and all others to accounts that paid', async () => {
      const { started, enter } = createMixed({ capacity: { engines: 1, browser: 1, network: 1 } })
      for (const name of ['free.a', 'ada', 'free.b']) void enter(name)
      await settle()
      expect(started).toEqual(['free.a', 'ada'])
    })

    it('lets two accounts of one network run on a small machine, each up to its own concurrency limit', async () => {
      const { started, enter } = createMixed({ capacity: { engines: 2, browser: 2, network: 1 }, perAccount: 1 })
      for (const name of ['free1.a', 'free1.a', 'free2.a', 'ada']) void enter(name, 'engines')
      await settle()
      expect(started).toEqual(['free1.a', 'free2.a', 'ada'])
    })

    it('starts accounts that paid first, but every fourth request is of another account', async () => {
      const { started, enter, releaseFirst } = createMixed({
        capacity: { engines: 4, browser: 1, network: 1 },
        perAccount: 1,
      })
      void enter('busy')
      await settle()
      for (const network of ['a', 'b']) void enter(`free.${network}`)
      await settle()
      for (const name of ['ada', 'ben', 'cyd', 'dan', 'eve']) void enter(name)
      await settle()
      for (let index = 0; index < 7; index += 1) {
        releaseFirst()
        await vi.advanceTimersByTimeAsync(1)
      }
      // The requests of free.b can start from ben on, because free.a has ended then.
      expect(started).toEqual(['busy', 'free.a', 'ada', 'ben', 'cyd', 'dan', 'free.b', 'eve'])
    })

    it('start accounts that paid if it is the turn of others, but those have gone', async () => {
      const { queue, started, enter, releaseFirst } = createMixed({ capacity: { engines: 1, browser: 0, network: 1 } })
      const controller = new AbortController()
      await enter('busy', 'engines')
      await enter('ada', 'engines')
      const gone = expect(queue.acquire(requester('free.a'), controller.signal)).rejects.toThrow('hung up')
      for (const name of ['ben', 'cyd', 'dan', 'eve']) void enter(name, 'engines')
      for (let index = 0; index < 3; index += 1) {
        releaseFirst()
        await vi.advanceTimersByTimeAsync(1)
      }
      controller.abort()
      await gone
      releaseFirst()
      await vi.advanceTimersByTimeAsync(1)
      expect(started).toContain('eve')
    })

    it('is fair among the accounts of a network, and counts their waiting requests together', async () => {
      const { started, enter, releaseFirst, queue } = createMixed({ maxWaitingPerAccount: 3 })
      for (const name of ['free1.a', 'free1.a', 'free1.a', 'free1.a', 'free2.a']) void enter(name)
      await settle()
      expect(started).toEqual(['free1.a', 'free1.a'])
      expect(() => queue.assertAllowed(requester('free3.a'))).toThrow('3 waiting requests')
      expect(() => queue.assertAllowed(requester('free3.b'))).not.toThrow()
      expect(() => queue.assertAllowed(requester('ada'))).not.toThrow()
      releaseFirst()
      await settle()
      expect(started.at(-1)).toBe('free2.a')
    })
  })
})
