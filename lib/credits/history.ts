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
  /** The balance after it. */
  balance: number
  /** What it added to the account's debt. */
  owed: number
  /** Of a charge and its refund: the request's id. */
  callId: string | null
  /** What was called, while it is in the call log; null when it is there no more, or not yet. */
  operation: string | null
  via: CallVia | null
  month: string | null
  note: string | null
  createdAt: Date
}

/** An account's latest ledger entries, newest first; `before` is the id of the last one of the page before. */
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
 * An account's ledger of the last 90 days as CSV, newest first, read as it is sent; where all of it is as young, with
 * what was carried forward to it.
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
