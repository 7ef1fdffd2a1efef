import { ERROR_REASONS } from '../errors'
import type { Database } from '../../db/database'
import * as requestLog from '../../db/queries/request-log'
import { getConfig } from '../config'
import { type Cell, streamCsv } from '../csv'
import { getDatabase } from '../database'
import { PHASES } from './phases'

const DAY_MS = 86_400_000

/** Filters of the request list. Each may be missing. */
export interface RequestChoice {
  operation?: string | undefined
  /** Requests that succeeded (2), were refused (4) or failed (5). */
  statusClass?: 2 | 4 | 5 | undefined
  /** Only failures with this `reason`. */
  reason?: string | undefined
  /** The first day, in UTC. */
  since?: Date | undefined
  /** The end of the last day, in UTC. */
  until?: Date | undefined
  /** The `next` of the previous page. */
  before?: string | undefined
}

/** A page of the request log. */
export interface RequestPage {
  requests: requestLog.LoggedRequest[]
  /** Cursor of the next page. Null if this is the last one. */
  next: string | null
}

/** Lists an account's requests, newest first. */
export async function listAccountRequests(
  accountId: string,
  { limit, ...choice }: RequestChoice & { limit: number },
  database: Database = getDatabase(),
): Promise<RequestPage> {
  const rows = await requestLog.listRequests(database, { ...choice, accountId, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { requests: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Returns a request of an account by its request ID, as pasted. Null if its log doesn't contain the request. */
export async function findAccountRequest(
  accountId: string,
  requestId: string,
  database: Database = getDatabase(),
): Promise<requestLog.LoggedRequest | null> {
  const id = requestId.trim()
  return isRequestId(id) ? ((await requestLog.findRequest(database, accountId, id)) ?? null) : null
}

/** Returns the latest request of an account after a time, or null. A request appears within a second of its end. */
export async function findRequestAfter(
  accountId: string,
  after: Date,
  database: Database = getDatabase(),
): Promise<requestLog.LoggedRequest | null> {
  return (await requestLog.findLatestRequest(database, accountId, after)) ?? null
}

/** Reads the filters from a page's query string. Invalid filters are ignored. */
export function readRequestChoice(query: Record<string, string | string[] | undefined>): RequestChoice {
  const { operation, status, reason, from, to, before } = query
  const statusClass = ([2, 4, 5] as const).find(one => status === `${one}xx`)
  const known = ERROR_REASONS.find(one => one === reason)
  const since = readDay(from)
  const lastDay = readDay(to)
  return {
    ...(typeof operation === 'string' && operation !== '' ? { operation: operation.slice(0, 100) } : {}),
    ...(statusClass === undefined ? {} : { statusClass }),
    ...(known && { reason: known }),
    ...(since && { since }),
    ...(lastDay && { until: new Date(lastDay.getTime() + DAY_MS) }),
    ...(typeof before === 'string' && isRequestId(before) ? { before } : {}),
  }
}

/** Returns the start of a day such as `2026-11-20`. Undefined if the text isn't a day that PostgreSQL can store. */
function readDay(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  // A Date would move 31 February to March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined
}

function isRequestId(text: string): boolean {
  return /^req_[0-9A-Za-z]{22}$/.test(text)
}

const EXPORT_DAYS = 90
const EXPORT_PAGE = 1000

/** The columns of the export, before the phases. */
const COLUMNS = {
  time: 'at',
  request_id: 'id',
  operation: 'operation',
  via: 'via',
  status: 'status',
  error: 'error',
  reason: 'reason',
  message: 'message',
  param: 'param',
  ms: 'ms',
  engine_ms: 'engineMs',
  bytes_in: 'bytesIn',
  bytes_out: 'bytesOut',
  credits: 'credits',
  replayed: 'replayed',
  delivered: 'delivered',
  browser_origin: 'browserOrigin',
  key_last4: 'keyLast4',
  network: 'address',
  user_agent: 'agent',
  steps: 'steps',
} as const satisfies Record<string, keyof requestLog.LoggedRequest>

/** Streams an account's requests of the last 90 days, or fewer if they are deleted earlier, as CSV, newest first. */
export function exportRequests(accountId: string, database: Database = getDatabase()): ReadableStream<Uint8Array> {
  const header = [...Object.keys(COLUMNS), ...PHASES.map(phase => `${phase}_ms`)]
  return streamCsv(header, listLines(accountId, database))
}

async function* listLines(accountId: string, database: Database): AsyncGenerator<Cell[]> {
  const since = new Date(Date.now() - Math.min(EXPORT_DAYS, getConfig().CALL_LOG_DAYS) * DAY_MS)
  let before: string | undefined
  for (;;) {
    const page = await requestLog.listRequests(database, { accountId, limit: EXPORT_PAGE, before, since })
    for (const request of page)
      yield [
        ...Object.values(COLUMNS).map(column => request[column]),
        ...PHASES.map((_, index) => writeTenths(request.phases?.[index] ?? null)),
      ]
    before = page.at(-1)?.id
    if (page.length < EXPORT_PAGE) return
  }
}

/** Returns milliseconds. */
function writeTenths(tenths: number | null): number | null {
  return tenths === null ? null : tenths / 10
}
