import { normalizeEmail } from './accounts'
import { findPasswordProblem } from './password'

/** Returns the problem of a new password as a sentence for its owner. Null if there is none. */
export function findNewPasswordProblem(password: string, email: string): string | null {
  const isAddress = normalizeEmail(password) === normalizeEmail(email)
  return findPasswordProblem(password) ?? (isAddress ? "The password can't be your email address." : null)
}
