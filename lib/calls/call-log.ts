import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { type CallRow, insertCalls } from '../../db/queries/calls'
import { getDatabase } from '../database'
import { describeError, getLog } from '../log'
import { singleton } from '../registry'

/** Calls that have ended and are still to be written down, of this process. */
export interface CallLog {
  /** Takes a call; it is written together with others soon after. */
  add(row: CallRow): void
  /** Writes what is waiting, as far as the database takes it now. */
  flush(): Promise<void>
  /** The same, for the last time. */
  close(): Promise<void>
}

interface Pace {
  /** How long a call waits for others. */
  everyMs?: number
  /** Rows of one statement. */
  mostTogether?: number
  /** Rows that are kept while the database is away; further calls are not logged. */
  mostKept?: number
  /** How long to wait after a failure. */
  retryMs?: number
}

const ATTEMPTS = 3

/** The call log of this process. */
export function getCallLog(): CallLog {
  return singleton('call-log', () => createCallLog(rows => insertCalls(getDatabase(), rows)))
}

/**
 * Makes a call log. `write` gets rows again whose writing failed, and has to know those that it wrote after all. While
 * the database is away they are kept; rows that it refuses three times are given up, with a line in the service's log.
 */
export function createCallLog(write: (rows: CallRow[]) => Promise<void>, pace: Pace = {}): CallLog {
  const { everyMs = 500, mostTogether = 200, mostKept = 20_000, retryMs = 2000 } = pace
  const waiting: CallRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** Refusals of the rows that are the next to be written. */
  let refusals = 0
  let isPaused = false
  let dropped = 0
  let isClosed = false

  const schedule = (ms: number) => {
    if (isClosed) return
    timer ??= setTimeout(() => void flush(), ms).unref()
  }
  const giveUpAfter = (error: unknown): boolean => {
    refusals = isDatabaseUnavailable(error) ? 0 : refusals + 1
    const isOver = refusals >= ATTEMPTS
    getLog().warn(
      { cause: describeError(error) },
      isOver ? 'calls could not be logged and were left out' : 'logging calls failed; it will be tried again',
    )
    return isOver
  }
  /** Whether the rows are dealt with, one way or the other. */
  const writeSome = async (rows: CallRow[]): Promise<boolean> => {
    try {
      await write(rows)
    } catch (error) {
      if (!giveUpAfter(error)) return false
    }
    refusals = 0
    waiting.splice(0, rows.length)
    if (dropped > 0) getLog().warn({ dropped }, 'calls are missing in the call log: the database was away for too long')
    dropped = 0
    return true
  }
  /** Writes what is there now; what comes meanwhile waits for others again. */
  const writeAll = async () => {
    isPaused = false
    for (let left = waiting.length; left > 0 && !isPaused; left -= mostTogether) {
      isPaused = !(await writeSome(waiting.slice(0, Math.min(left, mostTogether))))
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
      if (lost > 0) getLog().warn({ dropped: lost }, 'calls are missing in the call log: the database was away')
    },
  }
}
