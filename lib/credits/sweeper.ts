import type { Database } from '../../db/database'
import { purgeKeys } from '../../db/queries/keys'
import { purgeAttempts } from '../../db/queries/sign-in-attempts'
import type { Ledger } from './ledger'

interface SweeperSettings {
  ledger: Pick<Ledger, 'sweep' | 'purge'>
  database: Database
  sweepEveryMs?: number
  purgeEveryMs?: number
  /** Told of each failure; the next round tries again. */
  onError: (error: unknown) => void
}

/**
 * Refunds calls whose lease has run out every 10 s, and every 10 minutes deletes what is past its time: idempotency
 * records, closed holds, sign-in attempts and keys rotated over 90 days ago. Keeps no process alive.
 * `stop` resolves when a round that is under way has ended.
 */
export function startSweeper(settings: SweeperSettings): { stop(): Promise<void> } {
  const { ledger, database, sweepEveryMs = 10_000, purgeEveryMs = 600_000, onError } = settings
  const sweeps = repeat(sweepEveryMs, () => ledger.sweep('expired'), onError)
  const purges = repeat(purgeEveryMs, () => purge(ledger, database), onError)
  return {
    async stop() {
      await Promise.all([sweeps.stop(), purges.stop()])
    },
  }
}

async function purge(ledger: Pick<Ledger, 'purge'>, database: Database): Promise<void> {
  await ledger.purge()
  await purgeAttempts(database)
  await purgeKeys(database)
}

/** One round at a time, the first one after `everyMs`. */
function repeat(everyMs: number, round: () => Promise<unknown>, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= round()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
