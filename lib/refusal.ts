import type { Problem } from '../engines/errors'
import { RequestError, type ErrorCode, type ErrorReason } from './errors'

/**
 * Creates an error that names all problems at once. One problem becomes the message. Several are counted and listed.
 * The message lists at most three, and the `problems` of the body contain all.
 */
export function createRefusal(
  code: ErrorCode,
  problems: Problem[],
  { reason = 'options_invalid', cause }: { reason?: ErrorReason; cause?: unknown } = {},
): RequestError {
  const sentences = problems.map(describeProblem)
  const [first = "The input can't be processed."] = sentences
  const message =
    sentences.length < 2
      ? first
      : `${sentences.length} errors: ${sentences.slice(0, 3).join(' ')}${sentences.length > 3 ? ' …' : ''}`
  return new RequestError(code, message, {
    problems: problems.map(problem => ({ ...problem, message: endSentence(problem.message) })),
    reason,
    cause,
  })
}

/** Returns a problem as text that begins with its parameter. */
function describeProblem({ param, message }: Problem): string {
  const sentence = endSentence(message)
  return param === undefined || message.startsWith(param) ? sentence : `${param}: ${sentence}`
}

/** Adds the final period, unless the text has one. */
function endSentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`
}

/** The most names that a message lists. */
export const MAX_NAMES = 5

/**
 * Returns the end of a message about something that is missing: the unknown fields that were sent in its place. Empty
 * if there are none. `expected` is the missing name if it is the only one.
 */
export function describeSentInstead(unknown: readonly string[], expected?: string): string {
  if (unknown.length === 0) return ''
  const names = unknown.slice(0, MAX_NAMES).map(name => JSON.stringify(name.slice(0, 60)))
  const verb = unknown.length === 1 ? "isn't a known field" : "aren't known fields"
  const hint = expected === undefined || unknown.length > 1 ? '' : ` Did you mean "${expected}"?`
  return ` You sent ${names.join(', ')}${unknown.length > MAX_NAMES ? ', …' : ''}, which ${verb}.${hint}`
}

/** Writes a limit in bytes for people, such as "100 MB (104857600 bytes)". A megabyte is 2^20 bytes. */
export function writeByteLimit(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MB (${bytes} bytes)` : `${bytes} bytes`
}
