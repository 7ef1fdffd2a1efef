import type { Database } from '../../db/database'
import { listEntries } from '../../db/queries/history'
import type { CallVia, EntryKind } from '../../db/schema'
import { type Cell, streamCsv } from '../csv'
import { getDatabase } from '../database'

/** One line of an account's ledger as its owner sees it. */
export interface CreditEntry {
  id: number
  kind: EntryKind
  delta: number
  /** The balance after the entry. */
  balance: number
  /** Change of the account's debt. */
  owed: number
  /** The request ID of a charge and its refund. */
  callId: string | null
  /** The operation of the call. Null if the call isn't in the call log any more, or not yet. */
  operation: string | null
  via: CallVia | null
  month: string | null
  note: string | null
  createdAt: Date
}

/**
 * Lists an account's latest ledger entries, newest first. `before` is the ID of the last entry on the previous page.
 */
export function listCredits(
  accountId: string,
  { limit, before }: { limit: number; before?: number | undefined },
  database: Database = getDatabase(),
): Promise<CreditEntry[]> {
  return listEntries(database, { accountId, limit, before })
}

const DAY_MS = 86_400_000
const EXPORT_DAYS = 90
const EXPORT_PAGE = 1000

/**
 * Streams an account's ledger of the last 90 days as CSV, newest first. Includes the carry-forward if the whole ledger
 * is that recent.
 */
export function exportLedger(accountId: string, database: Database = getDatabase()): ReadableStream<Uint8Array> {
  return streamCsv(
    ['time', 'kind', 'credits', 'balance', 'reason', 'request_id', 'operation', 'via'],
    listLines(accountId, database),
  )
}

async function* listLines(accountId: string, database: Database): AsyncGenerator<Cell[]> {
  const since = new Date(Date.now() - EXPORT_DAYS * DAY_MS)
  let before: number | undefined
  for (;;) {
    const entries = await listEntries(database, { accountId, limit: EXPORT_PAGE, before })
    for (const { createdAt, kind, delta, balance, month, note, callId, operation, via } of entries) {
      if (createdAt < since && kind !== 'carry_forward') return
      yield [createdAt, kind, delta, balance, month ?? note ?? operation, callId, operation, via]
    }
    before = entries.at(-1)?.id
    if (entries.length < EXPORT_PAGE) return
  }
}
