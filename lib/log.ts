import { pino, type Logger } from 'pino'
import { getConfig } from './config'
import { singleton } from './registry'

/**
 * The log of this process: one JSON object per line on standard output. The log never contains keys, file names or file
 * content.
 */
export function getLog(): Logger {
  return singleton('log', () =>
    pino({ level: getConfig().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }),
  )
}

const MOST_PLACES = 8
const MOST_CHARACTERS = 300
const PLACE = /^\s+at /
/** A URL, except for those of our own modules in a stack trace. */
const ADDRESS = /\b(?!file:)[a-z][a-z\d+.-]*:\/\/\S+/gi

/**
 * Returns what the log may contain of an error and its causes: kind, message and stack. Libraries, Postgres and scripts
 * of web pages put input values between quotation marks, after URLs or on further lines. This function removes such
 * values, query values, email addresses and keys.
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

/** Keeps the first line, and the stack that follows if the text is the last output of another process. */
function hideValues(text: string): string {
  const [first = '', ...furtherLines] = text.split('\n')
  const words = first
    .slice(0, MOST_CHARACTERS)
    .replaceAll(ADDRESS, '<address>')
    .replaceAll(/[^\s"'<>()]+@[^\s"'<>()]+/g, '<e-mail>')
    .replaceAll(/sheaf_live_\w*/g, '<key>')
    .replaceAll(/"[^"]*"?|(?<!\w)'[^']*'?|`[^`]*`?|“[^”]*”?|«[^»]*»?/g, '…')
  return [words, ...listPlaces(furtherLines.join('\n'))].join(' ')
}

/** Returns the stack lines of our own code. A stack from a web page names the page's scripts. */
function listPlaces(stack: string): string[] {
  return stack
    .split('\n')
    .filter(line => PLACE.test(line) && line.search(ADDRESS) < 0)
    .slice(0, MOST_PLACES)
    .map(line => line.trim())
}
