import { isDatabaseUnavailable } from '../../../db/database-unavailable'
import { isEngineError, type EngineError } from '../../../engines/errors'
import { RequestError, isRequestError, REASON_OUTCOME, type ErrorCode } from '../../errors'
import { createRefusal } from '../../refusal'

interface FailureCodes {
  refusalCode: ErrorCode
  failureCode: ErrorCode
  crashCode: ErrorCode
}

const RETRY_SOON = { 'Retry-After': '5' }

/** Returns the error to send for anything that was thrown. The log also gets the error's `cause`. */
export function describeFailure(thrown: unknown, codes: FailureCodes | undefined): RequestError {
  if (isRequestError(thrown)) return thrown
  if (isEngineError(thrown) && codes) return translateEngineError(thrown, codes)
  if (isDatabaseUnavailable(thrown)) {
    return new RequestError('service_unavailable', "The service can't reach its database. Retry after 5 seconds.", {
      headers: RETRY_SOON,
      cause: thrown,
    })
  }
  return createInternalError(thrown)
}

function translateEngineError(error: EngineError, codes: FailureCodes): RequestError {
  const { reason } = error
  if (reason === 'internal') return createInternalError(error)
  const outcome = REASON_OUTCOME[reason]
  if (outcome === 'crash') return createCrash(codes.crashCode, error)
  if (outcome === 'service_unavailable')
    return new RequestError(outcome, error.message, { reason, headers: RETRY_SOON, cause: error })
  const code = outcome === 'refusal' ? codes.refusalCode : outcome === 'failure' ? codes.failureCode : outcome
  return createRefusal(code, error.problems, { reason, cause: error.cause })
}

/** The engine crashed, and again on the retry. The cause may or may not be the input. */
function createCrash(code: ErrorCode, cause: EngineError): RequestError {
  return new RequestError(
    code,
    'The engine stopped before the work was finished. You were not charged. Try again. If the error remains, ' +
      'contact support with the requestId.',
    { reason: 'crashed', cause },
  )
}

function createInternalError(cause: unknown): RequestError {
  return new RequestError(
    'internal_error',
    'An error occurred on our side. You were not charged. Try again. If the error remains, contact support with ' +
      'the requestId.',
    { cause },
  )
}
