import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../db/database-unavailable'

const RETRY_MS = 500

/**
 * Returns the result of `work`. If it rejects because the database is unavailable, it is called again for up to `mostMs`
 * milliseconds, because the database may be starting too. `onWait` is called once, before the first wait. Rejects with
 * the last error after that time, and immediately with any other error.
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { mostMs, onWait }: { mostMs: number; onWait: (error: unknown) => void },
): Promise<T> {
  const endMs = performance.now() + mostMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() >= endMs) throw error
      if (attempt === 1) onWait(error)
      await wait(Math.min(RETRY_MS, endMs - performance.now()))
    }
  }
}
