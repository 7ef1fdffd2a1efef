import type { Problem } from '../engines/errors'
import { CallError, type ErrorCode } from './errors'

/**
 * Creates an error that names all problems at once. One problem becomes the message. Several are counted and listed.
 * The message lists at most three, and the `problems` of the body contain all.
 */
export function createRefusal(code: ErrorCode, problems: Problem[], cause?: unknown): CallError {
  const sentences = problems.map(describeProblem)
  const [first = "The input can't be processed."] = sentences
  const message =
    sentences.length < 2
      ? first
      : `${sentences.length} faults: ${sentences.slice(0, 3).join('; ')}${sentences.length > 3 ? '; …' : ''}`
  return new CallError(code, message, { problems, cause })
}

/** Returns a problem as one sentence that begins with its parameter. */
function describeProblem({ param, message }: Problem): string {
  return param === undefined || message.startsWith(param) ? message : `${param}: ${message}`
}

/** The most names that a message lists. */
const MAX_NAMES = 5

/**
 * Returns the end of a message about something that is missing: the unknown fields that were sent in its place. Empty
 * if there are none. `expected` is the missing name if it is the only one.
 */
export function describeSentInstead(unknown: readonly string[], expected?: string): string {
  if (unknown.length === 0) return ''
  const names = unknown.slice(0, MAX_NAMES).map(name => JSON.stringify(name.slice(0, 60)))
  const verb = unknown.length === 1 ? "isn't a field here" : "aren't fields here"
  const hint = expected === undefined || unknown.length > 1 ? '' : `; did you mean "${expected}"?`
  return `. You sent ${names.join(', ')}${unknown.length > MAX_NAMES ? ', …' : ''}, which ${verb}${hint}`
}
