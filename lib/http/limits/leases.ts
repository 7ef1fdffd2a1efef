import type { Ledger } from '../../credits/ledger'
import { describeError, getLog } from '../../log'

const RETRIES_MS = [250, 500, 1000, 2000]
/** So that a statement stays short, and the database has to know only so many forms of it. */
const MOST_TOGETHER = 50

/** The holds of this process's calls, kept alive until each call has ended. */
export interface Leases {
  /** Keeps a charged call's lease alive. */
  hold(callId: string): void
  /**
   * Notes that the answer was delivered; calls that end while others are being settled are settled together in the next
   * statement. Where that fails, each is tried again by itself a few times within seconds, so that no sweep takes the
   * call for an abandoned one and refunds it, and then with each round.
   */
  settle(callId: string): Promise<void>
  /** Refunds a call and gives the balance. Where that fails, its lease runs out and a sweep refunds it. */
  refund(callId: string): Promise<{ balance: number }>
  /** One round: prolongs leases and settles what is still to be settled. */
  renew(): Promise<void>
  /** Waits for everything that is under way and stops the timer. */
  close(): Promise<void>
}

interface Pace {
  /** One timer for all running calls. */
  everyMs?: number
  /** How long to wait before each further attempt to settle a call. */
  retriesMs?: number[]
}

interface Batch {
  callIds: string[]
  /** Resolves when the attempt to settle them has ended, one way or the other. */
  ended: Promise<void>
}

/** Makes the keeper of leases of this process. */
export function createLeases(
  ledger: () => Pick<Ledger, 'settle' | 'refund' | 'renew'>,
  { everyMs = 10_000, retriesMs = RETRIES_MS }: Pace = {},
): Leases {
  const held = new Set<string>()
  const delivered = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  const retries = new Set<NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** The calls that will be settled when those are that are being settled now. */
  let next: Batch | undefined
  let last: Promise<void> = Promise.resolve()

  const track = async <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }
  const settleAll = async (callIds: string[]) => {
    try {
      await track(ledger().settle(callIds))
      for (const callId of callIds) {
        held.delete(callId)
        delivered.delete(callId)
      }
    } catch (error) {
      getLog().warn(
        { requestIds: callIds, cause: describeError(error) },
        'settling calls failed; it will be tried again',
      )
    }
  }
  const settleWithOthers = (callId: string): Promise<void> => {
    if (next !== undefined && next.callIds.length < MOST_TOGETHER) {
      next.callIds.push(callId)
      return next.ended
    }
    const batch: Batch = {
      callIds: [callId],
      ended: last.then(() => {
        if (next === batch) next = undefined
        return settleAll(batch.callIds)
      }),
    }
    next = batch
    last = batch.ended
    return batch.ended
  }
  const retryAlone = (callId: string, [delayMs, ...later]: number[]) => {
    if (isClosed || !delivered.has(callId) || delayMs === undefined) return
    const retry = setTimeout(() => {
      retries.delete(retry)
      if (delivered.has(callId)) void settleAll([callId]).then(() => retryAlone(callId, later))
    }, delayMs).unref()
    retries.add(retry)
  }
  const renew = async () => {
    try {
      if (held.size > 0) await track(ledger().renew([...held]))
    } catch (error) {
      getLog().warn(
        { cause: describeError(error) },
        'renewing the leases of running calls failed; it will be tried again',
      )
    }
    for (const callId of [...delivered]) await settleAll([callId])
  }

  return {
    hold(callId) {
      held.add(callId)
      timer ??= setInterval(() => void renew(), everyMs).unref()
    },
    async settle(callId) {
      delivered.add(callId)
      await settleWithOthers(callId)
      retryAlone(callId, retriesMs)
    },
    refund(callId) {
      held.delete(callId)
      return track(ledger().refund(callId))
    },
    renew,
    async close() {
      isClosed = true
      clearInterval(timer)
      timer = undefined
      for (const retry of retries) clearTimeout(retry)
      await last
      await Promise.allSettled(underWay)
      for (const callId of [...delivered]) await settleAll([callId])
    },
  }
}
