import type { Database } from '../../db/database'
import { purgeDeletedRequests, purgeOldRequests } from '../../db/queries/request-log'
import { finishDeletions, purgeSpentGrants } from '../../db/queries/deletion'
import { purgeKeys } from '../../db/queries/keys'
import { purgeMailTokens } from '../../db/queries/mail-tokens'
import { purgeEvents } from '../../db/queries/purchases'
import { purgeAttempts, purgeSignInNetworks } from '../../db/queries/sign-in-attempts'
import { purgeDeletedSteps } from '../../db/queries/first-steps'
import { purgeDeletedUsage, purgeOldUsage } from '../../db/queries/usage'
import type { Ledger } from './ledger'
import { createLedgerRetention, type LedgerRetention } from './ledger-retention'

interface SweeperSettings {
  ledger: Pick<Ledger, 'sweep' | 'purge'>
  database: Database
  /** Days that requests stay in the log. */
  requestLogDays: number
  /** Days before ledger entries are carried forward. Undefined means never. */
  ledgerDays?: number | undefined
  /** Settles delivered responses of this process that aren't settled yet, and extends its leases. */
  renew(): Promise<void>
  /**
   * A task that one of the instances runs once a day. Called with each purge, with a signal that aborts at shutdown.
   */
  nightly?: (signal: AbortSignal) => Promise<void>
  /** Handles accounts with a low balance. Called every 5 s. */
  notices?: (isStopping: () => boolean) => Promise<void>
  sweepEveryMs?: number
  purgeEveryMs?: number
  noticesEveryMs?: number
  /** Called with each error. The next round retries. */
  onError: (error: unknown) => void
}

/** Rounds without a sweep after a failed one. Every instance extends its leases once per round. */
const ROUNDS_AFTER_FAILURE = 2

/**
 * Refunds requests with an expired lease every 10 s, and handles notices every 5 s. Every 10 minutes, deletes what has
 * expired: idempotency records, closed holds, sign-in attempts, networks of sign-ins, mailed links, keys rotated over
 * 90 days ago, logged requests, days of usage, records of payment events. The same round finishes deletions of accounts
 * and carries old ledger entries forward. The timers don't keep the process alive. `stop` resolves when the current
 * round has ended.
 *
 * While the database was unavailable, leases expired for requests that still run, and for delivered files that couldn't
 * be settled. So this process extends its own leases before each sweep. The first sweep after a failure waits two
 * rounds, until all other instances have extended theirs.
 */
export function startSweeper(settings: SweeperSettings): { stop(): Promise<void> } {
  const {
    ledger,
    database,
    requestLogDays,
    ledgerDays,
    renew,
    nightly,
    notices,
    sweepEveryMs = 10_000,
    purgeEveryMs = 600_000,
    noticesEveryMs = 5000,
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
    () => purge({ ledger, database, requestLogDays, retention, isStopping: () => ending.signal.aborted }),
    onError,
  )
  const nightlyRounds = nightly && repeat(purgeEveryMs, () => nightly(ending.signal), onError)
  const noticeRounds = notices && repeat(noticesEveryMs, () => notices(() => ending.signal.aborted), onError)
  return {
    async stop() {
      ending.abort()
      await Promise.all([noticeRounds?.stop(), nightlyRounds?.stop(), sweeps.stop(), purges.stop()])
    },
  }
}

interface Purge extends Pick<SweeperSettings, 'database' | 'requestLogDays'> {
  ledger: Pick<Ledger, 'purge'>
  retention: LedgerRetention | undefined
  isStopping: () => boolean
}

async function purge({ ledger, database, requestLogDays, retention, isStopping }: Purge): Promise<void> {
  const removals: ((limit: number) => Promise<number>)[] = [
    limit => ledger.purge(limit),
    limit => purgeAttempts(database, limit),
    limit => purgeSignInNetworks(database, limit),
    limit => purgeMailTokens(database, limit),
    limit => purgeKeys(database, limit),
    limit => purgeOldUsage(database, limit),
    limit => purgeDeletedRequests(database, limit),
    limit => purgeOldRequests(database, requestLogDays, limit),
  ]
  await purgeSpentGrants(database)
  await purgeDeletedUsage(database)
  await purgeDeletedSteps(database)
  await purgeEvents(database)
  await finishDeletions(database)
  for (const remove of removals) await removeInBatches(remove, isStopping)
  await retention?.run(isStopping)
}

/** Rows per statement, so that no statement blocks others or times out. */
const BATCH_ROWS = 5000
/** Time per table. The next round deletes the rest. */
const TABLE_MS = 60_000

async function removeInBatches(remove: (limit: number) => Promise<number>, isStopping: () => boolean): Promise<void> {
  const endMs = performance.now() + TABLE_MS
  while (!isStopping() && performance.now() < endMs) if ((await remove(BATCH_ROWS)) < BATCH_ROWS) return
}

/** Runs one round at a time, the first after `everyMs`. */
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
