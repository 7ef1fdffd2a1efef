import * as z from 'zod'
import type { AttemptLimits } from '../../../db/queries/sign-in-attempts'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { canSendMail } from '../../mail'
import { AccountRefusal, signUpClosed, tooManyAttempts } from '../account/account-refusal'
import { isEmail, normalizeEmail, openAccount } from '../account/accounts'
import { beginAttempt, countMail } from './attempt-limit'
import { requireAuthSecret } from '../session/auth-secret'
import { LINK_SECONDS, mailLink } from './mailed-link'
import { ACCOUNT_PAGE, readNextPath } from './next-path'
import { findNewPasswordProblem } from '../account/new-password'
import { hashPassword } from '../account/password'
import { inPasswordCheckQueue } from './password-check-queue'
import { sealedCookie } from '../session/sealed-cookie'
import { assertLinksWork } from './sign-in-ways'
import { countSignUp } from './sign-up-limit'
import { signUpTerms } from './sign-up-rules'
import { siteOrigin } from '../../site-origin'
import { findSpentMonth } from '../account/spent-grant'

const LIMITS: AttemptLimits = { windowMs: 15 * 60_000, perAddress: 30, perIp: 100, perSiteAddress: 90, perSite: 300 }

/**
 * The password of a sign-up with an unverified address. The password waits in the browser that chose it. The mailed
 * link opens the account, with this password if the link is followed in that browser.
 */
export const signUpCookie = sealedCookie(
  'sign-up',
  z.object({ email: z.string(), passwordHash: z.string() }),
  LINK_SECONDS,
)

interface SignUp {
  email: string
  password: string
  /** URL of the page that opens afterward. Anything but a page of the account area is ignored. */
  next?: string
  clientAddress: string
  /** The Host header of the request. */
  host?: string | null
}

/**
 * Opens an account with a password. If the server can send mail, a mailed link opens the account (`mailed`). The
 * response and its time don't reveal whether the address has an account, whether its mailbox has one under another
 * spelling, or whether the address is invited. An existing account stays unchanged. Throws AccountRefusal if password
 * sign-up is unavailable, for a bad address or password, and after too many sign-ups.
 */
export async function signUp(request: SignUp): Promise<{ ok: true; mailed: boolean }> {
  const { email, password, next = ACCOUNT_PAGE, clientAddress, host = null } = request
  const config = getConfig()
  if (config.DATABASE_URL !== undefined) {
    throw new AccountRefusal(
      403,
      'address_not_proved',
      'This server requires a confirmed email address. Use a sign-in link, GitHub or Google.',
    )
  }
  if (config.SIGN_UP === 'closed') throw signUpClosed()
  const address = normalizeEmail(email)
  if (!isEmail(address)) throw new AccountRefusal(400, 'invalid_address', "This isn't a valid email address.")
  const problem = await findNewPasswordProblem(password, address)
  if (problem !== null) throw new AccountRefusal(400, 'invalid_password', problem)
  const isMailed = canSendMail(config)
  if (isMailed) assertLinksWork(host)
  const attempt = await beginAttempt({ email: 'sign-up', ip: clientAddress }, { limits: LIMITS })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  await countSignUp('sign-up form', clientAddress)
  if (isMailed) await countMail(address, clientAddress)
  const passwordHash = await inPasswordCheckQueue(clientAddress, () => hashPassword(password))
  if (isMailed) await mailSignUp({ email: address, passwordHash }, { origin: siteOrigin(host, config), next })
  else await openWithPassword({ email: address, passwordHash })
  return { ok: true, mailed: isMailed }
}

async function mailSignUp(
  signUp: { email: string; passwordHash: string },
  { origin, next }: { origin: string; next: string },
): Promise<void> {
  await mailLink({ email: signUp.email, purpose: 'sign-up', origin, next: readNextPath(next, origin) })
  await signUpCookie.keep(signUp)
}

async function openWithPassword({ email, passwordHash }: { email: string; passwordHash: string }): Promise<void> {
  const config = getConfig()
  const grantedMonth = await findSpentMonth({ email, secret: requireAuthSecret(config) }, getDatabase())
  await openAccount({ email, passwordHash, verified: false, grantedMonth }, signUpTerms(config))
}
