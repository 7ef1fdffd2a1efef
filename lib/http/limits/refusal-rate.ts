import { setTimeout as wait } from 'node:timers/promises'

/** Holds back 429 responses to clients that don't wait between their requests. */
export interface RefusalPace {
  /** Returns the milliseconds to wait before the next refusal of an account is sent. */
  delayMs(accountId: string): number
}

/** Time that one refusal adds to the account's schedule, which allows 100 refusals a second. */
const STEP_MS = 10
/** After a while without refusals, 20 refusals are sent without delay. */
const FREE_MS = 200
const MOST_DELAY_MS = 10_000
const MOST_ACCOUNTS = 10_000

/**
 * Creates the pace of refusals. A refusal costs a connection and a few rounds of the event loop. Without a pace,
 * clients that retry at once by the hundred would slow down all other requests.
 */
export function createRefusalPace(nowMs: () => number = () => performance.now()): RefusalPace {
  /** For each account, the time up to which its refusals are scheduled. */
  const scheduledUntil = new Map<string, number>()
  return {
    delayMs(accountId) {
      const now = nowMs()
      const until = Math.min(Math.max(now, scheduledUntil.get(accountId) ?? now) + STEP_MS, now + MOST_DELAY_MS)
      if (scheduledUntil.size >= MOST_ACCOUNTS) scheduledUntil.clear()
      scheduledUntil.set(accountId, until)
      return until - now <= FREE_MS ? 0 : until - now
    },
  }
}

/** Waits for the given time, or until the signal aborts. */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => {})
}
