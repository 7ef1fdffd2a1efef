import type { Lane } from '../../operations/operation'
import { RequestError } from '../../errors'
import { ClientGone } from '../connection/client-gone'
import { accountFull } from './output-memory'
import type { Requester } from './requester'

/** A request that fetches its files uses `network` first. */
type QueueLane = Lane | 'network'

interface RequestQueueSettings {
  /** Maximum of concurrent requests of one account. */
  perAccount: number
  /** Maximum of concurrent requests in each lane. */
  capacity: Readonly<Record<QueueLane, number>>
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
   * Throws RequestError `rate_limited` if a request exceeds its account's rate, or if too many requests of the account
   * wait.
   */
  assertAllowed(requester: Requester): void
  /** Starts requests that `mayStart` held back, if `mayStart` allows them now. */
  wake(): void
  /**
   * Waits for a slot of a lane (default: `engines`). The returned function releases the slot. Only its first call counts.
   *
   * The order of the waiting requests:
   * - Accounts that paid come first. If both kinds wait, every fourth slot goes to an account that never paid.
   * - Within a kind, the account with the fewest running requests comes first. Equal accounts alternate.
   * - All accounts of a network that never paid count as one account.
   *
   * The slots of a lane:
   * - Accounts that never paid get at most three quarters of the lane, rounded up. One network of such
   *   accounts gets at most half of the lanes `browser` and `network`.
   * - One more slot is for accounts without a running request, so that slow requests don't block all others.
   *
   * Rejects with:
   * - RequestError `service_unavailable` if too many requests wait, or if no slot became free in time. The last quarter
   *   of the waiting places is only for accounts without a waiting request.
   * - RequestError `rate_limited` if too many requests of the account wait. Also if no slot became free in time, and the
   *   account or its network uses all slots that it may have.
   * - ClientGone if the signal aborts.
   */
  acquire(requester: Requester, signal: AbortSignal, lane?: QueueLane): Promise<() => void>
  status(): { running: number; waiting: number }
  lanes(): Record<QueueLane, { running: number; waiting: number; capacity: number }>
}

interface Waiter {
  accountId: string
  lane: QueueLane
  start(): void
}

/** An account that paid, or all accounts of a network that never paid. */
interface Party {
  hasPaid: boolean
  running: number
  runningInLane: Record<QueueLane, number>
  /** Running requests of each account. */
  runningOf: Map<string, number>
  waiters: Set<Waiter>
}

/** The share of waiting places for all accounts. The rest is reserved for accounts without a waiting request. */
const SHARED_PLACES = 0.75

/** Slots of a lane beyond its capacity, for accounts without a running request. */
export const GUEST_SLOTS = 1

/** The share of a lane for all accounts that never paid, and that of one network with such accounts. */
const FREE_SHARE = 0.75
const NETWORK_SHARE: Record<QueueLane, number> = { engines: FREE_SHARE, browser: 0.5, network: 0.5 }

/** If accounts of both kinds wait, this many slots go to accounts that paid before one goes to another account. */
const PAID_IN_TURN = 3

/** Creates a request queue. */
export function createRequestQueue(settings: RequestQueueSettings): RequestQueue {
  const { perAccount, capacity, maxWaiting, maxWaitingPerAccount, timeoutMs } = settings
  const mayStart = settings.mayStart ?? (() => true)
  /** Parties in round-robin order. A party that gets a slot moves to the end. */
  const parties = new Map<string, Party>()
  const pace = createPace(settings)
  const running = createCounts()
  const freeRunning = createCounts()
  let waiting = 0
  let paidInTurn = 0

  const findParty = (requester: Requester): [string, Party] => {
    const id = partyIdOf(requester)
    const party = parties.get(id) ?? createParty(requester.hasPaid)
    parties.set(id, party)
    return [id, party]
  }
  const forgetIdle = (id: string, party: Party) => {
    if (party.running === 0 && party.waiters.size === 0) parties.delete(id)
  }
  const isAtNetworkShare = (party: Party, lane: QueueLane) =>
    !party.hasPaid && party.runningInLane[lane] >= shareOf(capacity[lane], NETWORK_SHARE[lane])
  const hasRoom = (party: Party, lane: QueueLane) => {
    const guestSlots = party.running === 0 ? GUEST_SLOTS : 0
    if (running[lane] >= capacity[lane] + guestSlots || isAtNetworkShare(party, lane)) return false
    return party.hasPaid || freeRunning[lane] < shareOf(capacity[lane], FREE_SHARE)
  }
  /** The next request of a party that can start. Its account has the fewest running requests. */
  const findNext = (party: Party): Waiter | undefined => {
    let next: Waiter | undefined
    for (const waiter of party.waiters) {
      const own = runningOf(party, waiter)
      if (own >= perAccount) continue
      if (next !== undefined && own >= runningOf(party, next)) continue
      if (hasRoom(party, waiter.lane) && mayStart(waiter.accountId, own)) next = waiter
      if (next !== undefined && runningOf(party, next) === 0) return next
    }
    return next
  }
  const startNext = (): boolean => {
    const startable = [...parties].flatMap(([id, party]) => {
      const waiter = findNext(party)
      return waiter === undefined ? [] : [{ id, party, waiter }]
    })
    const paid = startable.filter(({ party }) => party.hasPaid)
    const free = startable.filter(({ party }) => !party.hasPaid)
    const isFreeTurn = paid.length === 0 || (free.length > 0 && paidInTurn >= PAID_IN_TURN)
    const [first, ...others] = isFreeTurn ? free : paid
    if (!first) return false
    paidInTurn = isFreeTurn || free.length === 0 ? 0 : paidInTurn + 1
    const { id, party, waiter } = others.reduce(
      (least, next) => (next.party.running < least.party.running ? next : least),
      first,
    )
    parties.delete(id)
    parties.set(id, party)
    waiter.start()
    return true
  }
  const count = (party: Party, { accountId, lane }: Waiter, change: 1 | -1) => {
    running[lane] += change
    if (!party.hasPaid) freeRunning[lane] += change
    party.running += change
    party.runningInLane[lane] += change
    const own = (party.runningOf.get(accountId) ?? 0) + change
    if (own === 0) party.runningOf.delete(accountId)
    else party.runningOf.set(accountId, own)
  }
  const createRelease = (id: string, party: Party, waiter: Waiter) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      count(party, waiter, -1)
      forgetIdle(id, party)
      while (startNext());
    }
  }

  /** Returns the error if a request can't wait. Undefined if the request can wait. */
  const findRefusal = ({ waiters }: Party): RequestError | undefined => {
    if (waiters.size > maxWaitingPerAccount) return createTooManyWaiting(maxWaitingPerAccount)
    const places = waiters.size > 1 ? Math.ceil(maxWaiting * SHARED_PLACES) : maxWaiting
    return waiting > places ? createBusy() : undefined
  }
  const createTimeout = (party: Party, waiter: Waiter): RequestError => {
    if (!mayStart(waiter.accountId, runningOf(party, waiter))) return accountFull()
    if (runningOf(party, waiter) >= perAccount) return createConcurrencyError(perAccount)
    return isAtNetworkShare(party, waiter.lane) ? createNetworkError(party.runningInLane[waiter.lane]) : createBusy()
  }

  return {
    assertAllowed(requester) {
      if ((parties.get(partyIdOf(requester))?.waiters.size ?? 0) >= maxWaitingPerAccount)
        throw createTooManyWaiting(maxWaitingPerAccount)
      pace.assertAllowed(requester)
    },
    wake() {
      while (startNext());
    },
    status: () => ({ running: running.engines + running.browser + running.network, waiting }),
    lanes() {
      const waiters = [...parties.values()].flatMap(({ waiters }) => [...waiters])
      const describe = (lane: QueueLane) => ({
        running: running[lane],
        waiting: waiters.filter(waiter => waiter.lane === lane).length,
        capacity: capacity[lane],
      })
      return { engines: describe('engines'), browser: describe('browser'), network: describe('network') }
    },
    acquire(requester, signal, lane = 'engines') {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new ClientGone('The client hung up before its request began'))
        const [id, party] = findParty(requester)
        let hasWaited = false
        /** A request that starts at once needs neither timer nor listener. */
        let stopWatching = () => {}
        const leaveQueue = () => {
          waiting--
          party.waiters.delete(waiter)
          stopWatching()
        }
        const waiter: Waiter = {
          accountId: requester.accountId,
          lane,
          start() {
            leaveQueue()
            count(party, waiter, 1)
            const release = createRelease(id, party, waiter)
            // The slot passes on in the next round of the event loop. The previous request still has work to do in this
            // round, and a long round delays all others.
            if (hasWaited) setImmediate(resolve, release)
            else resolve(release)
          },
        }
        const refuse = (error: Error) => {
          leaveQueue()
          forgetIdle(id, party)
          reject(error)
        }
        const onAbort = () => refuse(new ClientGone('The client hung up while its request waited'))
        waiting++
        party.waiters.add(waiter)
        const onTimeout = () => refuse(createTimeout(party, waiter))
        while (startNext());
        if (!party.waiters.has(waiter)) return
        hasWaited = true
        const refusal = findRefusal(party)
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

function partyIdOf({ accountId, network, hasPaid }: Requester): string {
  return hasPaid ? `account ${accountId}` : `network ${network}`
}

function createParty(hasPaid: boolean): Party {
  return { hasPaid, running: 0, runningInLane: createCounts(), runningOf: new Map(), waiters: new Set() }
}

function createCounts(): Record<QueueLane, number> {
  return { engines: 0, browser: 0, network: 0 }
}

function runningOf(party: Party, { accountId }: Waiter): number {
  return party.runningOf.get(accountId) ?? 0
}

/** Rounded up, because a lane of a small machine has few slots. */
function shareOf(slots: number, share: number): number {
  return Math.max(1, Math.ceil(slots * share))
}

function createBusy(): RequestError {
  return new RequestError('service_unavailable', 'Too many requests are waiting. Retry after 5 seconds.', {
    headers: { 'Retry-After': '5' },
  })
}

function createTooManyWaiting(most: number): RequestError {
  const message = `Queue limit reached: ${most} waiting requests. Retry after 5 seconds.`
  return new RequestError('rate_limited', message, { headers: { 'Retry-After': '5' } })
}

function createConcurrencyError(most: number): RequestError {
  const message = `Concurrency limit reached: ${most} requests. Retry after 5 seconds.`
  return new RequestError('rate_limited', message, { headers: { 'Retry-After': '5' } })
}

function createNetworkError(most: number): RequestError {
  const message =
    `Concurrency limit of your network reached: ${most} ${most === 1 ? 'request' : 'requests'}. This limit is for ` +
    'accounts that never bought credits. Retry after 5 seconds.'
  return new RequestError('rate_limited', message, { headers: { 'Retry-After': '5' } })
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
  let requests = 0
  return {
    assertAllowed({ accountId }) {
      const now = nowMs()
      if (++requests % 1000 === 0) forgetFull(now)
      const bucket = buckets.get(accountId) ?? { tokens: size, atMs: now }
      const tokens = Math.min(size, bucket.tokens + ((now - bucket.atMs) / 1000) * perSecond)
      buckets.set(accountId, { tokens: Math.max(0, tokens < 1 ? tokens : tokens - 1), atMs: now })
      if (tokens >= 1) return
      const seconds = Math.ceil((1 - tokens) / perSecond)
      throw new RequestError(
        'rate_limited',
        `Rate limit reached: ${perSecond} ${perSecond === 1 ? 'request' : 'requests'} per second. ` +
          `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
        { headers: { 'Retry-After': String(seconds) } },
      )
    },
  }
}
