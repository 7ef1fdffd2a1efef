import type { Ledger } from '../../credits/ledger'
import { describeError, getLog } from '../../log'

const RETRIES_MS = [250, 500, 1000, 2000]
/** This keeps a statement short, and limits the number of its forms that the database plans. */
const MOST_TOGETHER = 50

/** Keeps the holds of this process's calls alive until each call has ended. */
export interface Leases {
  /** Keeps the lease of a charged call alive. */
  hold(callId: string): void
  /**
   * Settles a call after its response was delivered. Calls that end during a settlement are settled together in the
   * next statement. If the statement fails, each call is retried alone a few times within seconds, and then with each
   * round. So no sweep refunds a delivered call as abandoned.
   */
  settle(callId: string): Promise<void>
  /** Refunds a call and returns the balance. If the refund fails, the lease expires and a sweep refunds the call. */
  refund(callId: string): Promise<{ balance: number }>
  /** Runs one round: extends leases and settles calls that aren't settled yet. */
  renew(): Promise<void>
  /** Waits for all settlements and refunds in progress, and stops the timer. */
  close(): Promise<void>
}

interface Pace {
  /** Interval of the timer that all running calls share. */
  everyMs?: number
  /** Delays before each further attempt to settle a call. */
  retriesMs?: number[]
}

interface Batch {
  callIds: string[]
  /** Resolves when the attempt to settle the calls has ended, with success or not. */
  ended: Promise<void>
}

/** Creates the leases of this process. */
export function createLeases(
  ledger: () => Pick<Ledger, 'settle' | 'refund' | 'renew'>,
  { everyMs = 10_000, retriesMs = RETRIES_MS }: Pace = {},
): Leases {
  const callsWithLease = new Set<string>()
  const unsettledCalls = new Set<string>()
  const pendingWork = new Set<Promise<unknown>>()
  const retries = new Set<NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** The calls to settle after the current settlement. */
  let nextBatch: Batch | undefined
  let lastSettlement: Promise<void> = Promise.resolve()

  const track = async <T>(work: Promise<T>): Promise<T> => {
    pendingWork.add(work)
    try {
      return await work
    } finally {
      pendingWork.delete(work)
    }
  }
  const settleAll = async (callIds: string[]) => {
    try {
      await track(ledger().settle(callIds))
      for (const callId of callIds) {
        callsWithLease.delete(callId)
        unsettledCalls.delete(callId)
      }
    } catch (error) {
      getLog().warn({ requestIds: callIds, cause: describeError(error) }, 'failed to settle charges, retrying')
    }
  }
  const settleWithOthers = (callId: string): Promise<void> => {
    if (nextBatch !== undefined && nextBatch.callIds.length < MOST_TOGETHER) {
      nextBatch.callIds.push(callId)
      return nextBatch.ended
    }
    const batch: Batch = {
      callIds: [callId],
      ended: lastSettlement.then(() => {
        if (nextBatch === batch) nextBatch = undefined
        return settleAll(batch.callIds)
      }),
    }
    nextBatch = batch
    lastSettlement = batch.ended
    return batch.ended
  }
  const retryAlone = (callId: string, [delayMs, ...later]: number[]) => {
    if (isClosed || !unsettledCalls.has(callId) || delayMs === undefined) return
    const retry = setTimeout(() => {
      retries.delete(retry)
      if (unsettledCalls.has(callId)) void settleAll([callId]).then(() => retryAlone(callId, later))
    }, delayMs).unref()
    retries.add(retry)
  }
  const renew = async () => {
    try {
      if (callsWithLease.size > 0) await track(ledger().renew([...callsWithLease]))
    } catch (error) {
      getLog().warn({ cause: describeError(error) }, 'failed to renew the leases of running requests, retrying')
    }
    for (const callId of [...unsettledCalls]) await settleAll([callId])
  }

  return {
    hold(callId) {
      callsWithLease.add(callId)
      timer ??= setInterval(() => void renew(), everyMs).unref()
    },
    async settle(callId) {
      unsettledCalls.add(callId)
      await settleWithOthers(callId)
      retryAlone(callId, retriesMs)
    },
    refund(callId) {
      callsWithLease.delete(callId)
      return track(ledger().refund(callId))
    },
    renew,
    async close() {
      isClosed = true
      clearInterval(timer)
      timer = undefined
      for (const retry of retries) clearTimeout(retry)
      await lastSettlement
      await Promise.allSettled(pendingWork)
      for (const callId of [...unsettledCalls]) await settleAll([callId])
    },
  }
}
