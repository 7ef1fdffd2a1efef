import { normalizeEmail } from './accounts'
import { findPasswordProblem } from './password'

/** What is wrong with a password that somebody chose for an address, as a sentence for them; null when nothing is. */
export function findNewPasswordProblem(password: string, email: string): string | null {
  const isAddress = normalizeEmail(password) === normalizeEmail(email)
  return findPasswordProblem(password) ?? (isAddress ? 'The password cannot be the address itself.' : null)
}
