import { setTimeout as wait } from 'node:timers/promises'

/** Holds back 429 responses to clients that don't wait between their requests. */
export interface RefusalPace {
  /** Milliseconds to wait before one more refusal of an account is sent. */
  delayMs(accountId: string): number
}

/** Time that a refusal takes of its account's pace: 100 a second. */
const STEP_MS = 10
/** Refusals that are sent at once: 20 after a while without any. */
const FREE_MS = 200
const MOST_DELAY_MS = 10_000
const MOST_ACCOUNTS = 10_000

/**
 * Makes the pace of refusals. A refusal costs the server a connection and a few turns of its event loop, so clients
 * that come back at once by the hundred would slow down everybody else's requests.
 */
export function createRefusalPace(nowMs: () => number = () => performance.now()): RefusalPace {
  /** Until when the refusals of each account take. */
  const takenUntil = new Map<string, number>()
  return {
    delayMs(accountId) {
      const now = nowMs()
      const until = Math.min(Math.max(now, takenUntil.get(accountId) ?? now) + STEP_MS, now + MOST_DELAY_MS)
      if (takenUntil.size >= MOST_ACCOUNTS) takenUntil.clear()
      takenUntil.set(accountId, until)
      return until - now <= FREE_MS ? 0 : until - now
    },
  }
}

/** Waits, but no longer than until the signal fires. */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => {})
}
