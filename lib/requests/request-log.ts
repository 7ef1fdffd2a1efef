import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { type RequestRow, insertRequests } from '../../db/queries/request-log'
import { getDatabase } from '../database'
import { describeError, getLog } from '../log'
import { singleton } from '../registry'

/** Finished requests of this process that aren't written to the database yet. */
export interface RequestLog {
  /** Adds a request, which is soon written together with others. */
  add(row: RequestRow): void
  /** Writes the waiting requests, if the database accepts them now. */
  flush(): Promise<void>
  /** Writes the waiting requests for the last time. */
  close(): Promise<void>
}

interface Pace {
  /** How long a request waits for others. */
  everyMs?: number
  /** Maximum number of rows per statement. */
  mostTogether?: number
  /** Maximum number of rows kept while the database is unavailable. Further requests aren't logged. */
  mostKept?: number
  /** Delay after a failure. */
  retryMs?: number
}

const ATTEMPTS = 3

/** The request log of this process. */
export function getRequestLog(): RequestLog {
  return singleton('request-log', () => createRequestLog(rows => insertRequests(getDatabase(), rows)))
}

/**
 * Creates a request log. `write` may get rows again after a failure, and must recognize rows that it has written. Rows
 * are kept while the database is unavailable. Rows that the database refuses three times are dropped, with a line in
 * the service log.
 */
export function createRequestLog(write: (rows: RequestRow[]) => Promise<void>, pace: Pace = {}): RequestLog {
  const { everyMs = 500, mostTogether = 200, mostKept = 20_000, retryMs = 2000 } = pace
  const waiting: RequestRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** Number of times that the database refused the next rows. */
  let refusals = 0
  let isPaused = false
  let dropped = 0
  let isClosed = false

  const schedule = (ms: number) => {
    if (isClosed) return
    timer ??= setTimeout(() => void flush(), ms).unref()
  }
  const countRefusal = (error: unknown): boolean => {
    refusals = isDatabaseUnavailable(error) ? 0 : refusals + 1
    const isGivenUp = refusals >= ATTEMPTS
    getLog().warn(
      { cause: describeError(error) },
      isGivenUp
        ? 'failed to store the request log, requests were dropped'
        : 'failed to store the request log, retrying',
    )
    return isGivenUp
  }
  /** Returns whether the rows were written or dropped. */
  const writeBatch = async (rows: RequestRow[]): Promise<boolean> => {
    try {
      await write(rows)
    } catch (error) {
      if (!countRefusal(error)) return false
    }
    refusals = 0
    waiting.splice(0, rows.length)
    if (dropped > 0) getLog().warn({ dropped }, 'requests were dropped from the request log')
    dropped = 0
    return true
  }
  /** Writes the rows that are waiting now. Rows that arrive in the meantime wait for others again. */
  const writeAll = async () => {
    isPaused = false
    for (let remaining = waiting.length; remaining > 0 && !isPaused; remaining -= mostTogether) {
      isPaused = !(await writeBatch(waiting.slice(0, Math.min(remaining, mostTogether))))
    }
    writing = undefined
    if (waiting.length > 0) schedule(isPaused ? retryMs : everyMs)
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return (writing ??= writeAll())
  }

  return {
    add(row) {
      if (waiting.length >= mostKept) {
        dropped += 1
        return
      }
      waiting.push(row)
      if (writing !== undefined || isPaused) return
      if (waiting.length >= mostTogether) void flush()
      else schedule(everyMs)
    },
    flush,
    async close() {
      isClosed = true
      await flush()
      for (let attempt = 1; attempt < ATTEMPTS && waiting.length > 0; attempt += 1) await flush()
      const lost = waiting.length + dropped
      if (lost > 0) getLog().warn({ dropped: lost }, 'requests were dropped from the request log')
    },
  }
}
