import { normaliseEmail } from './accounts'
import { findPasswordFault } from './password'

/** Fewest characters of a password that somebody chooses on the site. */
export const LEAST_CHARACTERS = 10

/** What is wrong with a password that somebody chose for an address, as a sentence for them; null when nothing is. */
export function findNewPasswordFault(password: string, email: string): string | null {
  if ([...password].length < LEAST_CHARACTERS) return `The password needs at least ${LEAST_CHARACTERS} characters.`
  if (normaliseEmail(password) === normaliseEmail(email)) return 'The password cannot be the address itself.'
  return findPasswordFault(password)
}
