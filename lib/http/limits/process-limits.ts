import { SMALL_OUTPUT_BYTES } from '../../../engines/output-content'
import { getConfig } from '../../config'
import { getLedger } from '../../credits/ledger'
import { singleton } from '../../registry'
import { type BodyMemory, createBodyMemory } from './body-memory'
import { createFailedWork, type FailedWork } from './failed-work-budget'
import { createLeases, type Leases } from './renew-leases'
import { createOutputMemory, type OutputMemory } from './output-memory'
import { createRequestRate, type RequestRate } from './request-rate'
import { createRefusalPace, type RefusalPace } from './refusal-rate'
import { createRequestQueue, type RequestQueue } from './request-queue'

/**
 * Requests admitted beyond the number of engines, so that the next job is ready when one ends. More requests would only
 * slow down the event loop.
 */
const REQUESTS_IN_HAND = 1

/** Requests that fetch their files at the same time, with up to 4 connections each. They use no processor time. */
const FETCHING_REQUESTS = 32

/** Number of small bodies that always have memory, whatever large bodies use. */
const RESERVED_SMALL_BODIES = 64

/** Number of the largest small outputs that fit into memory. */
const RESERVED_SMALL_OUTPUTS = 64

/** The request queue of this process. */
export function getRequestQueue(): RequestQueue {
  return singleton('process-limits', () => {
    const { KEY_CONCURRENCY, ENGINES, WEB_PAGES, MAX_WAITING, SLOT_TIMEOUT_MS, KEY_RPS, ACCOUNT_WAITING } = getConfig()
    const outputs = getOutputMemory()
    const queue = createRequestQueue({
      perAccount: KEY_CONCURRENCY,
      capacity: { engines: ENGINES + REQUESTS_IN_HAND, browser: WEB_PAGES, network: FETCHING_REQUESTS },
      maxWaiting: MAX_WAITING,
      timeoutMs: SLOT_TIMEOUT_MS,
      perSecond: KEY_RPS,
      maxWaitingPerAccount: ACCOUNT_WAITING,
      mayStart: (accountId, running) => outputs.hasRoom(accountId, running),
    })
    outputs.onRelease(() => queue.wake())
    return queue
  })
}

/** The memory budget for request bodies of this process. */
export function getBodyMemory(): BodyMemory {
  return singleton('body-memory', () => {
    const { BODY_MEMORY_BYTES, ACCOUNT_SHARE, SMALL_BODY_BYTES, SLOT_TIMEOUT_MS } = getConfig()
    return createBodyMemory({
      maxBytes: BODY_MEMORY_BYTES,
      accountShare: ACCOUNT_SHARE,
      smallBytes: SMALL_BODY_BYTES,
      reserveBytes: RESERVED_SMALL_BODIES * SMALL_BODY_BYTES,
      timeoutMs: SLOT_TIMEOUT_MS,
    })
  })
}

/** The count of unread outputs of this process, in memory and on disk. */
export function getOutputMemory(): OutputMemory {
  return singleton('output-memory', () => {
    const { OUTPUT_SPOOL_BYTES, ACCOUNT_SHARE } = getConfig()
    return createOutputMemory({
      maxHeldBytes: RESERVED_SMALL_OUTPUTS * SMALL_OUTPUT_BYTES,
      maxSpooledBytes: OUTPUT_SPOOL_BYTES,
      accountShare: ACCOUNT_SHARE,
    })
  })
}

/** The budget of failed work of this process. */
export function getFailedWork(): FailedWork {
  return singleton('failed-work', () => {
    const { FAILED_WORK_MS, FREE_FAILED_WORK_MS } = getConfig()
    return createFailedWork({
      budgetMs: FAILED_WORK_MS,
      freeBudgetMs: Math.min(FAILED_WORK_MS, FREE_FAILED_WORK_MS),
    })
  })
}

/** The pace of refusals of this process. */
export function getRefusalPace(): RefusalPace {
  return singleton('refusal-pace', () => createRefusalPace())
}

/** How often each account may read its balance: 60 requests a minute. */
export function getBalanceRate(): RequestRate {
  return singleton('balance-rate', () => createRequestRate({ count: 60, periodMs: 60_000 }))
}

/** The leases of running requests of this process. */
export function getLeases(): Leases {
  return singleton('leases', () => createLeases(getLedger))
}

/** The shutdown state of this process. */
export function getDraining(): { hasBegun: boolean; refusesRequests: boolean } {
  return singleton('draining', () => ({ hasBegun: false, refusesRequests: false }))
}
