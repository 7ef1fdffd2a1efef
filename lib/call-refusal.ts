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
