import type { Database } from '../../db/database'
import * as calls from '../../db/queries/calls'
import { getConfig } from '../config'
import { type Cell, streamCsv } from '../csv'
import { getDatabase } from '../database'

/** Which calls to show; each may be missing. */
export interface CallChoice {
  operation?: string | undefined
  /** Calls that were answered (2), refused (4) or failed (5). */
  statusClass?: 2 | 4 | 5 | undefined
  /** The `next` of the page before. */
  before?: string | undefined
}

/** A page of the call log. */
export interface CallPage {
  calls: calls.LoggedCall[]
  /** For the page after this one; null when there is none. */
  next: string | null
}

/** An account's calls, newest first. */
export async function listAccountCalls(
  accountId: string,
  { limit, ...choice }: CallChoice & { limit: number },
  database: Database = getDatabase(),
): Promise<CallPage> {
  const found = await calls.listCalls(database, { ...choice, accountId, limit: limit + 1 })
  const page = found.slice(0, limit)
  return { calls: page, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** One call of an account by its request id, as it was pasted; null when it is not in its log. */
export async function findAccountCall(
  accountId: string,
  requestId: string,
  database: Database = getDatabase(),
): Promise<calls.LoggedCall | null> {
  const id = requestId.trim()
  return isRequestId(id) ? ((await calls.findCall(database, accountId, id)) ?? null) : null
}

/** The latest call of an account that came after a moment, or null. A call is there within a second of its end. */
export async function findCallAfter(
  accountId: string,
  after: Date,
  database: Database = getDatabase(),
): Promise<calls.LoggedCall | null> {
  return (await calls.findLatestCall(database, accountId, after)) ?? null
}

/** The choice that a page's address makes; what it can't mean is left out. */
export function readCallChoice(query: Record<string, string | string[] | undefined>): CallChoice {
  const { operation, status, before } = query
  const statusClass = ([2, 4, 5] as const).find(one => status === `${one}xx`)
  return {
    ...(typeof operation === 'string' && operation !== '' ? { operation: operation.slice(0, 100) } : {}),
    ...(statusClass === undefined ? {} : { statusClass }),
    ...(typeof before === 'string' && isRequestId(before) ? { before } : {}),
  }
}

function isRequestId(text: string): boolean {
  return /^req_[0-9A-Za-z]{22}$/.test(text)
}

const EXPORT_DAYS = 90
const EXPORT_PAGE = 1000
const DAY_MS = 86_400_000

/** An account's calls of the last 90 days, or as many as are kept, as CSV, newest first; read as it is sent. */
export function exportCalls(accountId: string, database: Database = getDatabase()): ReadableStream<Uint8Array> {
  const header = [
    'time',
    'request_id',
    'operation',
    'via',
    'status',
    'error',
    'param',
    'ms',
    'engine_ms',
    'bytes_in',
    'bytes_out',
    'credits',
    'replayed',
    'delivered',
    'browser_origin',
    'key_last4',
    'network',
    'user_agent',
  ]
  return streamCsv(header, listLines(accountId, database))
}

async function* listLines(accountId: string, database: Database): AsyncGenerator<Cell[]> {
  const since = new Date(Date.now() - Math.min(EXPORT_DAYS, getConfig().CALL_LOG_DAYS) * DAY_MS)
  let before: string | undefined
  for (;;) {
    const page = await calls.listCalls(database, { accountId, limit: EXPORT_PAGE, before, since })
    for (const call of page) {
      const {
        at,
        id,
        operation,
        via,
        status,
        error,
        param,
        ms,
        engineMs,
        bytesIn,
        bytesOut,
        credits,
        replayed,
        delivered,
        browserOrigin,
        keyLast4,
        address,
        agent,
      } = call
      yield [
        at,
        id,
        operation,
        via,
        status,
        error,
        param,
        ms,
        engineMs,
        bytesIn,
        bytesOut,
        credits,
        replayed,
        delivered,
        browserOrigin,
        keyLast4,
        address,
        agent,
      ]
    }
    before = page.at(-1)?.id
    if (page.length < EXPORT_PAGE) return
  }
}
