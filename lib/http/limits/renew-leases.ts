import type { Ledger } from '../../credits/ledger'
import { describeError, getLog } from '../../log'

const RETRIES_MS = [250, 500, 1000, 2000]
/** How long a delivered request waits for others. A server that is killed in this time refunds the request. */
const GATHER_MS = 20
/** This keeps a statement short. */
const MOST_TOGETHER = 50

/** Keeps the holds of this process's requests alive until each request has ended. */
export interface Leases {
  /** Keeps the lease of a charged request alive. */
  hold(requestId: string): void
  /**
   * Settles a request after its response was delivered. Requests that end within a moment are settled together. If
   * `isUrgent`, their statement is sent at once, for a request that the client may repeat. If the statement fails, each
   * request is retried alone a few times within seconds, and then with each round. So no sweep refunds a delivered
   * request as abandoned. Resolves after the first attempt.
   */
  settle(requestId: string, isUrgent?: boolean): Promise<void>
  /**
   * Refunds a request and returns the balance. If the refund fails, the lease expires and a sweep refunds the request.
   */
  refund(requestId: string): Promise<{ balance: number }>
  /** Runs one round: extends leases and settles requests that aren't settled yet. */
  renew(): Promise<void>
  /** Waits for all settlements and refunds in progress, and stops the timer. */
  close(): Promise<void>
}

interface Pace {
  /** Interval of the timer that all running requests share. */
  everyMs?: number
  /** Delays before each further attempt to settle a request. */
  retriesMs?: number[]
  /** How long a delivered request waits for others. */
  gatherMs?: number
}

/** Requests to settle in one statement. */
interface Batch {
  requestIds: string[]
  /** Stops waiting for further requests. The statement is sent after that of the previous batch. */
  send(): void
  /** Resolves when the attempt to settle the requests has ended, with success or not. */
  ended: Promise<void>
}

/** Creates the leases of this process. */
export function createLeases(
  ledger: () => Pick<Ledger, 'settle' | 'refund' | 'renew'>,
  { everyMs = 10_000, retriesMs = RETRIES_MS, gatherMs = GATHER_MS }: Pace = {},
): Leases {
  const requestsWithLease = new Set<string>()
  const unsettledRequests = new Set<string>()
  const pendingWork = new Set<Promise<unknown>>()
  const retries = new Set<NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** The requests to settle next. */
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
  const settleAll = async (requestIds: string[]) => {
    try {
      await track(ledger().settle(requestIds))
      for (const requestId of requestIds) {
        requestsWithLease.delete(requestId)
        unsettledRequests.delete(requestId)
      }
    } catch (error) {
      getLog().warn({ requestIds: requestIds, cause: describeError(error) }, 'failed to settle charges, retrying')
    }
  }
  const retryAlone = (requestId: string, [delayMs, ...later]: number[]) => {
    if (isClosed || !unsettledRequests.has(requestId) || delayMs === undefined) return
    const retry = setTimeout(() => {
      retries.delete(retry)
      if (unsettledRequests.has(requestId)) void settleAll([requestId]).then(() => retryAlone(requestId, later))
    }, delayMs).unref()
    retries.add(retry)
  }
  const openBatch = (): Batch => {
    const requestIds: string[] = []
    const earlier = lastSettlement
    let send = () => {}
    const ended = new Promise<void>(resolve => (send = resolve))
      .then(() => earlier)
      .then(() => {
        clearTimeout(gathering)
        if (nextBatch === batch) nextBatch = undefined
        return settleAll(requestIds)
      })
      .then(() => requestIds.forEach(requestId => retryAlone(requestId, retriesMs)))
    const gathering = setTimeout(send, gatherMs).unref()
    const batch: Batch = { requestIds, send, ended }
    lastSettlement = ended
    return batch
  }
  const renew = async () => {
    try {
      if (requestsWithLease.size > 0) await track(ledger().renew([...requestsWithLease]))
    } catch (error) {
      getLog().warn({ cause: describeError(error) }, 'failed to renew the leases of running requests, retrying')
    }
    for (const requestId of [...unsettledRequests]) await settleAll([requestId])
  }

  return {
    hold(requestId) {
      requestsWithLease.add(requestId)
      timer ??= setInterval(() => void renew(), everyMs).unref()
    },
    settle(requestId, isUrgent = false) {
      unsettledRequests.add(requestId)
      const batch = (nextBatch ??= openBatch())
      batch.requestIds.push(requestId)
      const isFull = batch.requestIds.length === MOST_TOGETHER
      if (isFull) nextBatch = undefined
      if (isFull || isUrgent || isClosed) batch.send()
      return batch.ended
    },
    refund(requestId) {
      requestsWithLease.delete(requestId)
      return track(ledger().refund(requestId))
    },
    renew,
    async close() {
      isClosed = true
      clearInterval(timer)
      timer = undefined
      for (const retry of retries) clearTimeout(retry)
      nextBatch?.send()
      await lastSettlement
      await Promise.allSettled(pendingWork)
      for (const requestId of [...unsettledRequests]) await settleAll([requestId])
    },
  }
}
