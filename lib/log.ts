import { pino, type Logger } from 'pino'
import { getConfig } from './config'
import { singleton } from './registry'

/** The log of this process: one JSON object a line on standard output. It never gets keys, file names or contents. */
export function getLog(): Logger {
  return singleton('log', () =>
    pino({ level: getConfig().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }),
  )
}

const MOST_PLACES = 8
const MOST_CHARACTERS = 300
const PLACE = /^\s+at /
/** An address, except for those of our own modules in a stack. */
const ADDRESS = /\b(?!file:)[a-z][a-z\d+.-]*:\/\/\S+/gi

/**
 * What the log may know of an error: its kind, words and place, and the same of what caused it. Libraries, Postgres and
 * the scripts of web pages put what they were given between quotation marks, behind addresses or on further lines: that
 * is left out, as are values of a query, addresses of people, and keys.
 */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error))
    return { message: typeof error === 'string' ? hideValues(error) : `a thrown ${typeof error}` }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    name: error.name,
    message: hideValues(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    stack: listPlaces(error.stack ?? ''),
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

/** The first line, and the places that follow where it is the last words of another process. */
function hideValues(text: string): string {
  const [first = '', ...others] = text.split('\n')
  const words = first
    .slice(0, MOST_CHARACTERS)
    .replaceAll(ADDRESS, '<address>')
    .replaceAll(/[^\s"'<>()]+@[^\s"'<>()]+/g, '<e-mail>')
    .replaceAll(/sheaf_live_\w*/g, '<key>')
    .replaceAll(/"[^"]*"?|(?<!\w)'[^']*'?|`[^`]*`?|“[^”]*”?|«[^»]*»?/g, '…')
  return [words, ...listPlaces(others.join('\n'))].join(' ')
}

/** Places in our own code; a stack that came from a web page names its scripts. */
function listPlaces(stack: string): string[] {
  return stack
    .split('\n')
    .filter(line => PLACE.test(line) && line.search(ADDRESS) < 0)
    .slice(0, MOST_PLACES)
    .map(line => line.trim())
}
