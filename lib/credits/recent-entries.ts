import { desc, eq } from 'drizzle-orm'
import type { Database } from '../../db/client'
import { ledgerEntries } from '../../db/schema'
import type { EntryKind } from '../../db/schema'

/** One change of a balance, as the account area shows it. */
export interface RecentEntry {
  id: number
  kind: EntryKind
  /** Credits added, or taken when negative. */
  delta: number
  /** After this entry. */
  balance: number
  /** Of a grant, `2026-11`. */
  month: string | null
  createdAt: Date
}

/** The latest entries of an account, newest first. */
export function listRecentEntries(database: Database, accountId: string, limit: number): Promise<RecentEntry[]> {
  return database.drizzle
    .select({
      id: ledgerEntries.id,
      kind: ledgerEntries.kind,
      delta: ledgerEntries.delta,
      balance: ledgerEntries.balance,
      month: ledgerEntries.month,
      createdAt: ledgerEntries.createdAt,
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.accountId, accountId))
    .orderBy(desc(ledgerEntries.id))
    .limit(limit)
}
