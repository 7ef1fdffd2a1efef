import { recordAttempt, deleteAttempt } from '../../db/queries/sign-in-attempts'
import { isEngineError } from '../../engines/errors'
import { getDatabase } from '../database'
import { RequestError } from '../errors'

const MAX_WRONG = 20
const LIMITS = { windowMs: 15 * 60_000, perAddress: MAX_WRONG, perIp: MAX_WRONG }

/**
 * Runs work that fails if a password is wrong. Allows 20 wrong passwords of an account in 15 minutes, on all instances
 * together. Work that is running counts as wrong, so that simultaneous requests get no more tries. Throws RequestError
 * `rate_limited` without running the work.
 */
export async function guardPassword<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const name = `unlock-pdf ${accountId}`
  const attempt = await recordAttempt(getDatabase(), { email: name, ip: name }, LIMITS)
  if ('retryAfterS' in attempt)
    throw new RequestError(
      'rate_limited',
      `Your account sent ${MAX_WRONG} wrong passwords in 15 minutes. Retry after ${attempt.retryAfterS} seconds.`,
      { headers: { 'Retry-After': String(attempt.retryAfterS) } },
    )
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = isEngineError(error) && error.reason === 'wrong_password'
    throw error
  } finally {
    if (!isWrong) await deleteAttempt(getDatabase(), attempt.id)
  }
}
