import { isEngineError, type EngineErrorReason, type Problem } from '../errors'

/** Description of an error while a document was processed: the parts of an EngineError, with the cause as text. */
export interface ErrorDescription {
  reason: EngineErrorReason
  message: string
  problems: Problem[]
  cause?: string
}

/**
 * Describes any value that a tool threw. Only the message of an EngineError is public. Any other error means that the
 * code can't handle the document, so the document is rejected as `damaged` (or `out_of_memory` after a failed
 * allocation). The cause describes the error without content of the document.
 */
export function describeError(thrown: unknown): ErrorDescription {
  if (isEngineError(thrown)) {
    const { reason, message, problems } = thrown
    return { reason, message, problems, ...(thrown.cause === undefined ? {} : { cause: describeCause(thrown.cause) }) }
  }
  const [reason, message] = isAllocationFailure(thrown) ? OUT_OF_MEMORY : UNREADABLE
  return { reason, message, problems: [{ message }], cause: describeCause(thrown) }
}

/** The public message if a job needs more memory than an engine may use. */
export const OUT_OF_MEMORY_SENTENCE =
  'The request needs more memory than one request may use. Use a smaller file, fewer pages or a simpler ' +
  'request body.'

const OUT_OF_MEMORY = ['out_of_memory', OUT_OF_MEMORY_SENTENCE] as const
const UNREADABLE = [
  'damaged',
  "The file can't be processed. Its structure is damaged or nested too deeply. Try to save it again in a PDF " +
    'program.',
] as const

function isAllocationFailure(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    /allocation failed|could not allocate|out of memory|ERR_BUFFER_TOO_LARGE/i.test(
      `${thrown.message} ${codeOf(thrown)}`,
    )
  )
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

function describeCause(cause: unknown, depth = 0): string {
  if (typeof cause === 'string') return withoutQuotes(cause)
  if (!(cause instanceof Error)) return `a thrown ${typeof cause}`
  const description = [`${cause.name}: ${withoutQuotes(cause.message)}`, ...placesOf(cause)].join(' ')
  return cause.cause === undefined || depth === MAX_CAUSES
    ? description
    : `${description}; caused by ${describeCause(cause.cause, depth + 1)}`
}

/** Libraries quote document content in their messages. The log must not contain that content. */
function withoutQuotes(text: string): string {
  return text
    .slice(0, MAX_CAUSE_CHARACTERS)
    .replaceAll(/"[^"]*"?|'[^']*'?|`[^`]*`?|“[^”]*”?|\([^)]{40,}\)?/g, '…')
    .replaceAll(/\s+/g, ' ')
}

function placesOf(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').map(line => line.trim())
  return lines.filter(line => line.startsWith('at ')).slice(0, MAX_PLACES)
}

const MAX_CAUSES = 3
const MAX_CAUSE_CHARACTERS = 300
const MAX_PLACES = 5
