import type { Lane } from '../../operations/operation'
import { CallError } from '../../errors'
import { ClientGone } from '../connection/client-gone'
import { accountFull } from './output-memory'

interface RequestQueueSettings {
  /** Maximum of concurrent requests of one account. */
  perAccount: number
  /** Maximum of concurrent requests in each lane. */
  capacity: Readonly<Record<Lane, number>>
  maxWaiting: number
  /** Maximum of waiting requests of one account. */
  maxWaitingPerAccount: number
  /** Returns whether an account may start one more request in addition to its running requests. `wake` checks again. */
  mayStart?: (accountId: string, running: number) => boolean
  /** Maximum time that a request waits. */
  timeoutMs: number
  /** Average requests per second of one account. Unlimited if undefined. */
  perSecond?: number | undefined
  nowMs?: () => number
}

/** The waiting and running requests of this instance. */
export interface RequestQueue {
  /**
   * Throws CallError `rate_limited` if a request exceeds its account's rate, or if too many requests of the account
   * wait.
   */
  assertAllowed(accountId: string): void
  /** Starts requests that `mayStart` held back, if `mayStart` allows them now. */
  wake(): void
  /**
   * Waits for a slot of a lane (default: `engines`). The caller releases the slot with the returned function, which can
   * be called more than once. The account with the fewest running requests comes first, and equal accounts alternate.
   * Requests of one account keep their order. Each lane has one slot beyond its capacity for accounts without a running
   * request, so that slow requests of one account don't block other accounts. Rejects with `service_unavailable` if too
   * many requests wait or the capacity stayed used up. Rejects with `rate_limited` if too many requests of the account
   * wait or its own requests took all its slots. Rejects with ClientGone if the signal aborts. The last quarter of the
   * waiting places is reserved for accounts without a waiting request.
   */
  acquire(accountId: string, signal: AbortSignal, lane?: Lane): Promise<() => void>
  status(): { running: number; waiting: number }
  lanes(): Record<Lane, { running: number; waiting: number; capacity: number }>
}

interface Waiter {
  lane: Lane
  start(): void
}

interface Account {
  running: number
  waiters: Set<Waiter>
}

/** The share of waiting places for all accounts. The rest is reserved for accounts without a waiting request. */
const SHARED_PLACES = 0.75

/** Slots of a lane beyond its capacity, for accounts without a running request. */
export const GUEST_SLOTS = 1

/** Creates a request queue. */
export function createRequestQueue(settings: RequestQueueSettings): RequestQueue {
  const { perAccount, capacity, maxWaiting, maxWaitingPerAccount, timeoutMs } = settings
  const mayStart = settings.mayStart ?? (() => true)
  /** Accounts in round-robin order. An account that gets a slot moves to the end. */
  const accounts = new Map<string, Account>()
  const pace = createPace(settings)
  const running: Record<Lane, number> = { engines: 0, browser: 0 }
  let waiting = 0

  const findAccount = (id: string) => {
    const account = accounts.get(id) ?? { running: 0, waiters: new Set<Waiter>() }
    accounts.set(id, account)
    return account
  }
  const forgetIdle = (id: string, account: Account) => {
    if (account.running === 0 && account.waiters.size === 0) accounts.delete(id)
  }
  const startNext = (): boolean => {
    const findNext = (account: Account) => {
      const guestSlots = account.running === 0 ? GUEST_SLOTS : 0
      return [...account.waiters].find(({ lane }) => running[lane] < capacity[lane] + guestSlots)
    }
    const startable = [...accounts].filter(
      ([id, account]) =>
        account.running < perAccount && findNext(account) !== undefined && mayStart(id, account.running),
    )
    const [first, ...otherAccounts] = startable
    if (!first) return false
    const [id, account] = otherAccounts.reduce(
      (least, next) => (next[1].running < least[1].running ? next : least),
      first,
    )
    accounts.delete(id)
    accounts.set(id, account)
    findNext(account)?.start()
    return true
  }
  const createRelease = (id: string, account: Account, lane: Lane) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      running[lane]--
      account.running--
      forgetIdle(id, account)
      while (startNext());
    }
  }

  /** Returns the error if a request can't wait. Undefined if the request can wait. */
  const findRefusal = ({ waiters }: Account): CallError | undefined => {
    if (waiters.size > maxWaitingPerAccount) return createTooManyWaiting(maxWaitingPerAccount)
    const places = waiters.size > 1 ? Math.ceil(maxWaiting * SHARED_PLACES) : maxWaiting
    return waiting > places ? createBusy() : undefined
  }

  return {
    assertAllowed(accountId) {
      if ((accounts.get(accountId)?.waiters.size ?? 0) >= maxWaitingPerAccount)
        throw createTooManyWaiting(maxWaitingPerAccount)
      pace.assertAllowed(accountId)
    },
    wake() {
      while (startNext());
    },
    status: () => ({ running: running.engines + running.browser, waiting }),
    lanes() {
      const waiters = [...accounts.values()].flatMap(({ waiters }) => [...waiters])
      const describe = (lane: Lane) => ({
        running: running[lane],
        waiting: waiters.filter(waiter => waiter.lane === lane).length,
        capacity: capacity[lane],
      })
      return { engines: describe('engines'), browser: describe('browser') }
    },
    acquire(id, signal, lane = 'engines') {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new ClientGone('The client hung up before its request began'))
        const account = findAccount(id)
        let hasWaited = false
        /** A request that starts at once needs neither timer nor listener. */
        let stopWatching = () => {}
        const leaveQueue = () => {
          waiting--
          account.waiters.delete(waiter)
          stopWatching()
        }
        const waiter: Waiter = {
          lane,
          start() {
            leaveQueue()
            running[lane]++
            account.running++
            const release = createRelease(id, account, lane)
            // The slot passes on in the next round of the event loop. The previous request still has work to do in this
            // round, and a long round delays all others.
            if (hasWaited) setImmediate(resolve, release)
            else resolve(release)
          },
        }
        const refuse = (error: Error) => {
          leaveQueue()
          forgetIdle(id, account)
          reject(error)
        }
        const onAbort = () => refuse(new ClientGone('The client hung up while its request waited'))
        waiting++
        account.waiters.add(waiter)
        const onTimeout = () =>
          refuse(
            mayStart(id, account.running) ? createTimeout(account.running >= perAccount, perAccount) : accountFull(),
          )
        while (startNext());
        if (!account.waiters.has(waiter)) return
        hasWaited = true
        const refusal = findRefusal(account)
        if (refusal) return refuse(refusal)
        const timer = setTimeout(onTimeout, timeoutMs)
        signal.addEventListener('abort', onAbort)
        stopWatching = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
        }
      })
    },
  }
}

function createBusy(): CallError {
  return new CallError('service_unavailable', 'Too many requests are waiting. Retry after 5 seconds.', {
    headers: { 'Retry-After': '5' },
  })
}

function createTooManyWaiting(most: number): CallError {
  const message = `Queue limit reached: ${most} waiting requests. Retry after 5 seconds.`
  return new CallError('rate_limited', message, { headers: { 'Retry-After': '5' } })
}

function createTimeout(isOwnLimit: boolean, perAccount: number): CallError {
  if (!isOwnLimit) return createBusy()
  const message = `Concurrency limit reached: ${perAccount} requests. Retry after 5 seconds.`
  return new CallError('rate_limited', message, { headers: { 'Retry-After': '5' } })
}

/** A token bucket for each account with a request within the last second or so. */
function createPace({
  perSecond,
  nowMs = () => performance.now(),
}: RequestQueueSettings): Pick<RequestQueue, 'assertAllowed'> {
  if (perSecond === undefined) return { assertAllowed() {} }
  const size = Math.max(1, perSecond)
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  const forgetFull = (now: number) => {
    for (const [id, { tokens, atMs }] of buckets)
      if (tokens + ((now - atMs) / 1000) * perSecond >= size) buckets.delete(id)
  }
  let calls = 0
  return {
    assertAllowed(accountId) {
      const now = nowMs()
      if (++calls % 1000 === 0) forgetFull(now)
      const bucket = buckets.get(accountId) ?? { tokens: size, atMs: now }
      const tokens = Math.min(size, bucket.tokens + ((now - bucket.atMs) / 1000) * perSecond)
      buckets.set(accountId, { tokens: Math.max(0, tokens < 1 ? tokens : tokens - 1), atMs: now })
      if (tokens >= 1) return
      const seconds = Math.ceil((1 - tokens) / perSecond)
      throw new CallError(
        'rate_limited',
        `Rate limit reached: ${perSecond} ${perSecond === 1 ? 'request' : 'requests'} per second. ` +
          `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
        { headers: { 'Retry-After': String(seconds) } },
      )
    },
  }
}
