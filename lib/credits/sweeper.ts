import type { Database } from '../../db/database'
import { purgeDeletedCalls, purgeOldCalls } from '../../db/queries/calls'
import { finishDeletions, purgeSpentGrants } from '../../db/queries/deletion'
import { purgeKeys } from '../../db/queries/keys'
import { purgeMailTokens } from '../../db/queries/mail-tokens'
import { purgeEvents } from '../../db/queries/purchases'
import { purgeAttempts } from '../../db/queries/sign-in-attempts'
import { purgeSignInNetworks } from '../../db/queries/sign-in-networks'
import { purgeDeletedUsage, purgeOldUsage } from '../../db/queries/usage'
import type { Ledger } from './ledger'
import { createLedgerRetention, type LedgerRetention } from './ledger-retention'

interface SweeperSettings {
  ledger: Pick<Ledger, 'sweep' | 'purge'>
  database: Database
  /** Days that calls stay in the log. */
  callLogDays: number
  /** Days that ledger entries stay before they are carried forward; for ever when undefined. */
  ledgerDays?: number | undefined
  /**
   * Writes down which answers of this process were delivered, where that is still to be done, and keeps its leases
   * alive.
   */
  renew(): Promise<void>
  /** What is to be done once a day by one of the instances; asked with each purge, and told by the signal to end. */
  nightly?: (signal: AbortSignal) => Promise<void>
  /** What is due for accounts whose balance fell; asked every 5 s. */
  notices?: (isStopping: () => boolean) => Promise<void>
  sweepEveryMs?: number
  purgeEveryMs?: number
  /** Told of each failure; the next round tries again. */
  onError: (error: unknown) => void
}

/** Rounds without a sweep after one that failed: every instance renews its leases once in the time of one round. */
const ROUNDS_AFTER_FAILURE = 2

/**
 * Refunds calls whose lease has run out every 10 s, sees to notices every 5 s, and every 10 minutes deletes what is
 * past its time: idempotency records, closed holds, sign-in attempts, networks of sign-ins, mailed links, keys rotated
 * over 90 days ago, logged calls, days of usage, notes of payment events; it finishes deletions of accounts, and
 * carries old ledger entries forward. Keeps no process alive. `stop` resolves when a round that is under way has ended.
 *
 * While the database was away leases ran out of calls that are alive, and of files that were delivered and could not be
 * settled. So each sweep comes after this process's own leases were renewed, and the first one after a failure two
 * rounds later, when all other instances have renewed theirs.
 */
export function startSweeper(settings: SweeperSettings): { stop(): Promise<void> } {
  const {
    ledger,
    database,
    callLogDays,
    ledgerDays,
    renew,
    nightly,
    notices,
    sweepEveryMs = 10_000,
    purgeEveryMs = 600_000,
    onError,
  } = settings
  let roundsToWait = 0
  const sweep = async () => {
    await renew()
    try {
      await (roundsToWait > 0 ? database.ping() : ledger.sweep('expired'))
      roundsToWait = Math.max(0, roundsToWait - 1)
    } catch (error) {
      roundsToWait = ROUNDS_AFTER_FAILURE
      throw error
    }
  }
  const sweeps = repeat(sweepEveryMs, sweep, onError)
  const retention = ledgerDays === undefined ? undefined : createLedgerRetention({ database, days: ledgerDays })
  const ending = new AbortController()
  const purges = repeat(
    purgeEveryMs,
    () => purge({ ledger, database, callLogDays, retention, isStopping: () => ending.signal.aborted }),
    onError,
  )
  const nights = nightly && repeat(purgeEveryMs, () => nightly(ending.signal), onError)
  const told = notices && repeat(NOTICES_EVERY_MS, () => notices(() => ending.signal.aborted), onError)
  return {
    async stop() {
      ending.abort()
      await Promise.all([told?.stop(), nights?.stop(), sweeps.stop(), purges.stop()])
    },
  }
}

const NOTICES_EVERY_MS = 5000

interface Purge extends Pick<SweeperSettings, 'database' | 'callLogDays'> {
  ledger: Pick<Ledger, 'purge'>
  retention: LedgerRetention | undefined
  isStopping: () => boolean
}

async function purge({ ledger, database, callLogDays, retention, isStopping }: Purge): Promise<void> {
  const removals: ((limit: number) => Promise<number>)[] = [
    limit => ledger.purge(limit),
    limit => purgeAttempts(database, limit),
    limit => purgeSignInNetworks(database, limit),
    limit => purgeMailTokens(database, limit),
    limit => purgeKeys(database, limit),
    limit => purgeOldUsage(database, limit),
    limit => purgeDeletedCalls(database, limit),
    limit => purgeOldCalls(database, callLogDays, limit),
  ]
  await purgeSpentGrants(database)
  await purgeDeletedUsage(database)
  await purgeEvents(database)
  await finishDeletions(database)
  for (const remove of removals) await inBatches(remove, isStopping)
  await retention?.run(isStopping)
}

/** So many rows a statement, that none of them holds up others or runs out of its time. */
const BATCH_ROWS = 5000
/** What of a table is left then, the next round deletes. */
const TABLE_MS = 60_000

async function inBatches(remove: (limit: number) => Promise<number>, isStopping: () => boolean): Promise<void> {
  const endMs = performance.now() + TABLE_MS
  while (!isStopping() && performance.now() < endMs) if ((await remove(BATCH_ROWS)) < BATCH_ROWS) return
}

/** One round at a time, the first one after `everyMs`. */
function repeat(
  everyMs: number,
  round: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
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
