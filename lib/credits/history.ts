import type { Database } from '../../db/database'
import { countCharges, listEntries } from '../../db/queries/history'
import type { EntryKind } from '../../db/schema'
import { getDatabase } from '../database'

/** One line of an account's ledger as its owner sees it. */
export interface CreditEntry {
  id: number
  kind: EntryKind
  delta: number
  /** The balance after it. */
  balance: number
  callId: string | null
  month: string | null
  note: string | null
  createdAt: Date
}

/** An account's latest ledger entries, newest first; `before` is the id of the last one of the page before. */
export function listCredits(
  accountId: string,
  { limit, before }: { limit: number; before?: number },
  database: Database = getDatabase(),
): Promise<CreditEntry[]> {
  return listEntries(database, { accountId, limit, before })
}

/** Credits spent on each of the last `days` days in UTC, refunds taken off; oldest first, days without a call included. */
export async function countUsage(
  accountId: string,
  { days, now = new Date() }: { days: number; now?: Date },
  database: Database = getDatabase(),
): Promise<{ day: string; credits: number }[]> {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const names = Array.from({ length: days }, (_, index) => new Date(today - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10))
  const counted = new Map((await countCharges(database, accountId, names[0] ?? '')).map(({ day, credits }) => [day, credits]))
  return names.map(day => ({ day, credits: counted.get(day) ?? 0 }))
}

const DAY_MS = 86_400_000
