import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database'
import { carryForward, listOldestEntries } from '../../db/queries/ledger-retention'

/** Carries a ledger's old entries forward. */
export interface LedgerRetention {
  /**
   * Runs one round of limited size, which ends early if `isStopping` returns true. Returns the number of entries
   * carried forward.
   */
  run(isStopping?: () => boolean): Promise<number>
}

interface RetentionSettings {
  database: Database
  /** Number of whole days in UTC for which entries are kept. */
  days: number
  /** Number of accounts per statement. */
  pageAccounts?: number
  /** Number of entries per transaction. */
  batchEntries?: number
}

/** Pages or entries beyond this number are left to the next round. */
const MOST_PAGES = 40
const MOST_ENTRIES = 200_000

/**
 * Carries old ledger entries forward in rounds. Each round continues after the last account of the previous round, and
 * visits each account at most once. Instances start at different accounts, and don't wait for each other at the same
 * account.
 */
export function createLedgerRetention({
  database,
  days,
  pageAccounts = 500,
  batchEntries = 1000,
}: RetentionSettings): LedgerRetention {
  let after: string = randomUUID()
  return {
    async run(isStopping = () => false) {
      let carried = 0
      let ends = 0
      const isOver = () => isStopping() || carried >= MOST_ENTRIES
      for (let page = 0; page < MOST_PAGES && ends < 2; page += 1) {
        const accounts = await listOldestEntries(database, { after, limit: pageAccounts, days })
        for (const { accountId, entryId } of accounts) {
          for (let oldest = entryId; oldest !== null;) {
            if (isOver()) return carried // The next round continues with this account.
            const batch = await carryForward(database, { accountId, entryId: oldest, days, limit: batchEntries })
            carried += batch?.entries ?? 0
            oldest = batch !== undefined && batch.entries === batchEntries ? batch.entryId : null
          }
          after = accountId
        }
        if (accounts.length === pageAccounts) continue
        ends += 1
        after = ''
      }
      return carried
    },
  }
}
