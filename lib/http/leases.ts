import type { Ledger } from '../credits/ledger'
import { describeError, getLog } from '../log'

const RETRIES_MS = [250, 500, 1000, 2000]

/** The holds of this process's calls, kept alive until each call has ended. */
export interface Leases {
  /** Keeps a charged call's lease alive. */
  hold(callId: string): void
  /**
   * Notes that the answer was delivered. Where that fails, it is tried again a few times within seconds, so that no
   * sweep takes the call for an abandoned one and refunds it, and then with each round.
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

/** Makes the keeper of leases of this process. */
export function createLeases(ledger: () => Pick<Ledger, 'settle' | 'refund' | 'renew'>, { everyMs = 10_000, retriesMs = RETRIES_MS }: Pace = {}): Leases {
  const held = new Set<string>()
  const delivered = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  const retries = new Set<NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const track = async <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }
  const settleOne = async (callId: string) => {
    try {
      await track(ledger().settle(callId))
      held.delete(callId)
      delivered.delete(callId)
    } catch (error) {
      getLog().warn({ requestId: callId, cause: describeError(error) }, 'settling a call failed; it will be tried again')
    }
  }
  const settleSoon = async (callId: string, [delayMs, ...later]: number[]) => {
    await settleOne(callId)
    if (isClosed || !delivered.has(callId) || delayMs === undefined) return
    const retry = setTimeout(() => {
      retries.delete(retry)
      if (delivered.has(callId)) void settleSoon(callId, later)
    }, delayMs).unref()
    retries.add(retry)
  }
  const renew = async () => {
    try {
      if (held.size > 0) await track(ledger().renew([...held]))
    } catch (error) {
      getLog().warn({ cause: describeError(error) }, 'renewing the leases of running calls failed; it will be tried again')
    }
    for (const callId of [...delivered]) await settleOne(callId)
  }

  return {
    hold(callId) {
      held.add(callId)
      timer ??= setInterval(() => void renew(), everyMs).unref()
    },
    settle(callId) {
      delivered.add(callId)
      return settleSoon(callId, retriesMs)
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
      await Promise.allSettled(underWay)
      for (const callId of [...delivered]) await settleOne(callId)
    },
  }
}
