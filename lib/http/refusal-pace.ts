import { setTimeout as wait } from 'node:timers/promises'

interface RefusalPaceSettings {
  nowMs?: () => number
  random?: () => number
}

/** Holds back 429 responses to clients that don't wait between their requests. */
export interface RefusalPace {
  /** Milliseconds to wait before one more refusal of an account is sent. */
  delayMs(accountId: string): number
}

/** Refusals of an account that are sent at once within a second. */
const FREE_REFUSALS = 20
/** Later ones are sent after this time, spread so that they don't come back together. */
const LEAST_DELAY_MS = 500
const MOST_DELAY_MS = 1500
const WINDOW_MS = 1000
const MOST_ACCOUNTS = 10_000

/**
 * Makes the pace of refusals. A refusal costs the server a connection and a few turns of its event loop, so clients that
 * come back at once by the hundred would slow down everybody else's requests.
 */
export function createRefusalPace({ nowMs = () => performance.now(), random = Math.random }: RefusalPaceSettings = {}): RefusalPace {
  const accounts = new Map<string, { sinceMs: number; count: number }>()
  return {
    delayMs(accountId) {
      const now = nowMs()
      const known = accounts.get(accountId)
      if (known && now - known.sinceMs < WINDOW_MS) {
        known.count++
        return known.count <= FREE_REFUSALS ? 0 : LEAST_DELAY_MS + random() * (MOST_DELAY_MS - LEAST_DELAY_MS)
      }
      if (accounts.size >= MOST_ACCOUNTS) accounts.clear()
      accounts.set(accountId, { sinceMs: now, count: 1 })
      return 0
    },
  }
}

/** Waits, but no longer than until the signal fires. */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => {})
}
