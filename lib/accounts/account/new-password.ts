import { normalizeEmail } from './accounts'
import { isCommonPassword } from './common-password'
import { findPasswordProblem } from './password'

/** Returns the problem of a new password as a sentence for its owner. Null if there is none. */
export async function findNewPasswordProblem(password: string, email: string): Promise<string | null> {
  const problem = findPasswordProblem(password)
  if (problem !== null) return problem
  if (normalizeEmail(password) === normalizeEmail(email)) return "The password can't be your email address."
  return (await isCommonPassword(password))
    ? 'Many people use this password, or one like it. Choose another one.'
    : null
}
