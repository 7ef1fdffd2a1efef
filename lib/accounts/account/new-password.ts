import { normalizeEmail } from './accounts'
import { findPasswordFault } from './password'

/** What is wrong with a password that somebody chose for an address, as a sentence for them; null when nothing is. */
export function findNewPasswordFault(password: string, email: string): string | null {
  const isAddress = normalizeEmail(password) === normalizeEmail(email)
  return findPasswordFault(password) ?? (isAddress ? 'The password cannot be the address itself.' : null)
}
