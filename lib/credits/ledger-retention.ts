import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database'
import { carryForward, listOldestEntries } from '../../db/queries/ledger-retention'

/** Carries a ledger's old entries forward. */
export interface LedgerRetention {
  /**
   * One round, of a bounded size, which ends early when `isStopping`; gives the number of entries that were carried
   * forward.
   */
  run(isStopping?: () => boolean): Promise<number>
}

interface RetentionSettings {
  database: Database
  /** Days that entries are kept, counted in whole days of UTC. */
  days: number
  /** Accounts looked at with one statement. */
  pageAccounts?: number
  /** Entries carried forward in one transaction. */
  batchEntries?: number
}

/** What is left after so many pages or entries, the next round does. */
const MOST_PAGES = 40
const MOST_ENTRIES = 200_000

/**
 * Carries old ledger entries forward, round by round: each round goes on with the accounts where the one before ended,
 * and at most once around. Instances begin at different accounts; two at the same one do not wait for each other.
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
            if (isOver()) return carried // the next round goes on with this account
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
