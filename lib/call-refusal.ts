import type { Problem } from '../engines/errors'
import { CallError, type ErrorCode } from './errors'

/**
 * A refusal that names all faults at once. One fault gives its own sentence, several are counted and listed; the list
 * in the sentence ends after three, the `problems` of the body hold them all.
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

/** A fault as one sentence that begins with the parameter to blame. */
function describeProblem({ param, message }: Problem): string {
  return param === undefined || message.startsWith(param) ? message : `${param}: ${message}`
}
