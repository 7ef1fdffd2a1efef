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

/**
 * Returns the error to send for anything that was thrown. The log also gets the error's `cause`. The message says that
 * nothing was charged if the request would cost a credit (`isPaid`).
 */
export function describeFailure(thrown: unknown, codes: FailureCodes | undefined, isPaid = true): RequestError {
  if (isRequestError(thrown)) return thrown
  if (isEngineError(thrown) && codes) return translateEngineError(thrown, codes, isPaid)
  if (isDatabaseUnavailable(thrown)) {
    return new RequestError('service_unavailable', "The service can't reach its database. Retry after 5 seconds.", {
      headers: RETRY_SOON,
      cause: thrown,
    })
  }
  return createInternalError(thrown, isPaid)
}

function translateEngineError(error: EngineError, codes: FailureCodes, isPaid: boolean): RequestError {
  const { reason } = error
  if (reason === 'internal') return createInternalError(error, isPaid)
  const outcome = REASON_OUTCOME[reason]
  if (outcome === 'crash') return createCrash(codes.crashCode, error, isPaid)
  if (outcome === 'service_unavailable')
    return new RequestError(outcome, error.message, { reason, headers: RETRY_SOON, cause: error })
  const code = outcome === 'refusal' ? codes.refusalCode : outcome === 'failure' ? codes.failureCode : outcome
  return createRefusal(code, error.problems, { reason, cause: error.cause })
}

/** The engine crashed, and again on the retry. The cause may or may not be the input. */
function createCrash(code: ErrorCode, cause: EngineError, isPaid: boolean): RequestError {
  return new RequestError(
    code,
    `The engine stopped before the work was finished. ${writePrice(isPaid)}Try again. If the error remains, ` +
      'contact support with the requestId.',
    { reason: 'crashed', cause },
  )
}

function createInternalError(cause: unknown, isPaid: boolean): RequestError {
  return new RequestError(
    'internal_error',
    `An error occurred on our side. ${writePrice(isPaid)}Try again. If the error remains, contact support with ` +
      'the requestId.',
    { cause },
  )
}

const writePrice = (isPaid: boolean): string => (isPaid ? 'You were not charged. ' : '')
