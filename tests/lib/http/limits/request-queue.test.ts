import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRequestQueue } from '../../../../lib/http/limits/request-queue'

const SETTINGS = {
  perAccount: 2,
  capacity: { engines: 3, browser: 1 },
  maxWaiting: 4,
  maxWaitingPerAccount: 100,
  timeoutMs: 1000,
}
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
      turnstile.acquire(name.slice(0, 1), signal).then(release => {
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
      createRequestQueue({ ...SETTINGS, perAccount: 1, capacity: { engines: 0, browser: 0 }, maxWaiting: 100 }),
    )
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void enter(name)
    await settle()
    for (let index = 0; index < 6; index++) {
      release(started.at(-1) ?? '')
      await settle()
    }
    expect(started).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

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
    for (const name of ['d', 'd', 'e']) void turnstile.acquire(name, never, 'browser').then(() => pages.push(name))
    await settle()
    expect(pages).toEqual(['d', 'e'])
  })

  it('does not let browser requests delay engine requests', async () => {
    const turnstile = createRequestQueue({ ...SETTINGS, perAccount: 8 })
    const started: string[] = []
    const enter = (name: string, lane: 'engines' | 'browser') =>
      void turnstile.acquire('a', never, lane).then(() => started.push(name))
    enter('page 1', 'browser')
    enter('page 2', 'browser')
    enter('tool', 'engines')
    await settle()
    expect(started).toEqual(['page 1', 'tool'])
    expect(turnstile.status()).toEqual({ running: 2, waiting: 1 })
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

  it('refuses a request if too many wait', async () => {
    const { enter } = createRun()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(name)
    await expect(enter('a6')).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } })
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
    let nowMs = 0
    const turnstile = createRequestQueue({ ...SETTINGS, perSecond: 2, nowMs: () => nowMs })
    turnstile.assertAllowed('a')
    turnstile.assertAllowed('a')
    expect(() => turnstile.assertAllowed('a')).toThrowError(/2 requests per second/)
    turnstile.assertAllowed('b')
    nowMs = 500
    turnstile.assertAllowed('a')
    expect(() => turnstile.assertAllowed('a')).toThrowError(/per second/)
  })
})
