import type { Database } from '../../db/database'
import { listEntries, listLines, listRefundsAcross } from '../../db/queries/history'
import type { RequestVia, EntryKind } from '../../db/schema'
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
  requestId: string | null
  /** Whether a charge was refunded. The line then stands for both, and its `delta` is 0. */
  isRefunded: boolean
  /** The operation of the request. Null if the request isn't in the request log any more, or not yet. */
  operation: string | null
  via: RequestVia | null
  month: string | null
  note: string | null
  createdAt: Date
}

/** Maximum number of entries between a charge and its refund that a page of the ledger takes into account. */
const MOST_BETWEEN = 1000

/**
 * Lists an account's latest ledger entries, newest first. A charge and its refund are one line in place of the charge,
 * and balances don't contain the charge. `before` is the ID of the last line on the previous page.
 */
export async function listCredits(
  accountId: string,
  { limit, before }: { limit: number; before?: number | undefined },
  database: Database = getDatabase(),
): Promise<CreditEntry[]> {
  const lines = await listLines(database, { accountId, limit, before })
  const last = lines.at(-1)
  if (last === undefined) return []
  const older = await listRefundsAcross(database, { accountId, entryId: last.id, limit: limit + MOST_BETWEEN })
  const refunds = [
    ...older,
    ...lines.flatMap(({ id, refundId }) => (refundId === null ? [] : [{ chargeId: id, refundId }])),
  ]
  return lines.map(({ refundId, ...line }) => ({
    ...line,
    isRefunded: refundId !== null,
    delta: refundId === null ? line.delta : 0,
    // A charge takes one credit.
    balance: line.balance + refunds.filter(pair => pair.chargeId <= line.id && line.id < pair.refundId).length,
  }))
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
    listRows(accountId, database),
  )
}

async function* listRows(accountId: string, database: Database): AsyncGenerator<Cell[]> {
  const since = new Date(Date.now() - EXPORT_DAYS * DAY_MS)
  let before: number | undefined
  for (;;) {
    const entries = await listEntries(database, { accountId, limit: EXPORT_PAGE, before })
    for (const { createdAt, kind, delta, balance, month, note, requestId, operation, via } of entries) {
      if (createdAt < since && kind !== 'carry_forward') return
      yield [createdAt, kind, delta, balance, month ?? note ?? operation, requestId, operation, via]
    }
    before = entries.at(-1)?.id
    if (entries.length < EXPORT_PAGE) return
  }
}
