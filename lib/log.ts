import { pino, type Logger } from 'pino'
import { getConfig } from './config'
import { singleton } from './registry'

/** The log of this process: one JSON object a line on standard output. It never gets keys, file names or contents. */
export function getLog(): Logger {
  return singleton('log', () => pino({ level: getConfig().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }))
}

/** What the log may know of an error: its kind, words and place, and the same of what caused it; no values of a query. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    name: error.name,
    message: error.message.split('\nparams:')[0],
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack?.split('\n').filter(line => /^\s+at /.test(line)).slice(0, 8).map(line => line.trim()),
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  }
}
