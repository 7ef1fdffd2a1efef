import { getConfig } from '../config'
import { getLedger } from '../credits/ledger'
import { singleton } from '../registry'
import { type BodyMemory, createBodyMemory } from './body-memory'
import { createLeases, type Leases } from './leases'
import { createTurnstile, type Turnstile } from './turnstile'

/** Calls let through beyond the number of engines, so that the next job is there when one ends; more only make the event loop's rounds longer. */
const CALLS_IN_HAND = 1

/** This process's turnstile. */
export function getTurnstile(): Turnstile {
  return singleton('turnstile', () => {
    const { KEY_CONCURRENCY, ENGINES, WEB_PAGES, MAX_WAITING, SLOT_TIMEOUT_MS, KEY_RPS } = getConfig()
    return createTurnstile({
      perAccount: KEY_CONCURRENCY,
      capacity: { engines: ENGINES + CALLS_IN_HAND, browser: WEB_PAGES },
      maxWaiting: MAX_WAITING,
      timeoutMs: SLOT_TIMEOUT_MS,
      perSecond: KEY_RPS,
    })
  })
}

/** This process's budget for bodies. */
export function getBodyMemory(): BodyMemory {
  return singleton('body-memory', () => createBodyMemory(getConfig().BODY_MEMORY_BYTES))
}

/** The leases of this process's running calls. */
export function getLeases(): Leases {
  return singleton('leases', () => createLeases(getLedger))
}

/** How far this process has come with its end. */
export function getDraining(): { hasBegun: boolean; refusesCalls: boolean } {
  return singleton('draining', () => ({ hasBegun: false, refusesCalls: false }))
}
