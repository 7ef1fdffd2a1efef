import { getConfig } from '../config'
import { getDatabase } from '../database'
import { AccountRefusal, tooManyAttempts } from './account-refusal'
import { createAccount, isEmail, normaliseEmail } from './accounts'
import { requireAuthSecret } from './auth-secret'
import { findNewPasswordFault } from './new-password'
import { hashPassword } from './password'
import { beginAttempt } from './attempt-limit'
import { findSpentMonth } from './spent-grant'

const LIMITS = { windowMs: 15 * 60_000, perAddress: 30, perIp: 100 }

/**
 * Opens an account with a password. Whether the address had one already cannot be told from the answer or its time;
 * such an account stays as it is. Throws AccountRefusal where addresses have to be proved first, and for a bad address
 * or password.
 */
export async function signUp({ email, password, clientAddress }: { email: string; password: string; clientAddress: string }): Promise<{ ok: true }> {
  if (getConfig().DATABASE_URL !== undefined) {
    throw new AccountRefusal(403, 'address_not_proved', 'On this server an address has to be confirmed first: use a sign-in link or another service.')
  }
  const address = normaliseEmail(email)
  if (!isEmail(address)) throw new AccountRefusal(400, 'invalid_address', 'That is not an e-mail address.')
  const fault = findNewPasswordFault(password, address)
  if (fault !== null) throw new AccountRefusal(400, 'invalid_password', fault)
  const attempt = await beginAttempt({ email: 'sign-up', ip: clientAddress }, { limits: LIMITS })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  const grantedMonth = await findSpentMonth({ email: address, secret: requireAuthSecret(getConfig()) }, getDatabase())
  await createAccount({ email: address, passwordHash: await hashPassword(password), verified: false, grantedMonth })
  return { ok: true }
}
