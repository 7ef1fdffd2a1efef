import type { Ledger } from '../credits/ledger'
import { describeError, getLog } from '../log'

/** The holds of this process's calls, kept alive until each call has ended. */
export interface Leases {
  /** Keeps a charged call's lease alive. */
  hold(callId: string): void
  /** Notes that the answer was delivered; where the database is away, it is tried again until it succeeds. */
  settle(callId: string): Promise<void>
  /** Refunds a call and gives the balance. Where that fails, its lease runs out and a sweep refunds it. */
  refund(callId: string): Promise<{ balance: number }>
  /** One round: prolongs leases and settles what is still to be settled. */
  renew(): Promise<void>
  /** Waits for everything that is under way and stops the timer. */
  close(): Promise<void>
}

/** Makes the keeper of leases: one timer for all running calls, every `everyMs`. */
export function createLeases(ledger: () => Pick<Ledger, 'settle' | 'refund' | 'renew'>, everyMs = 10_000): Leases {
  const held = new Set<string>()
  const delivered = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined

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
      return settleOne(callId)
    },
    refund(callId) {
      held.delete(callId)
      return track(ledger().refund(callId))
    },
    renew,
    async close() {
      clearInterval(timer)
      timer = undefined
      await Promise.allSettled(underWay)
      for (const callId of [...delivered]) await settleOne(callId)
    },
  }
}
