import { getConfig } from '../../config'
import { canSendMail } from '../../mail'
import { AccountRefusal } from '../account/account-refusal'
import { isEmail, normalizeEmail } from '../account/accounts'
import { countMail } from './attempt-limit'
import { mailLink } from './mailed-link'
import { assertLinksWork } from './sign-in-ways'
import { siteOrigin } from '../../site-origin'

/** The page for forgotten passwords. */
export const FORGOT_PAGE = '/sign-in/forgot'

interface Forgotten {
  /** Fields of the page's form. */
  form: Record<string, string>
  clientAddress: string
  /** The Host header of the request. */
  host: string | null
}

/**
 * Mails a link to choose a new password. The response doesn't depend on whether the address has an account. Returns the
 * path to continue at. Throws AccountRefusal.
 */
export async function mailPasswordLink({ form, clientAddress, host }: Forgotten): Promise<string> {
  const config = getConfig()
  if (!canSendMail(config)) throw new AccountRefusal(503, 'mail_not_set_up', 'This server can’t send email.')
  assertLinksWork(host, config)
  const email = normalizeEmail(form['email'] ?? '')
  if (!isEmail(email)) throw new AccountRefusal(400, 'invalid_address', "This isn't a valid email address.")
  await countMail(email, clientAddress)
  await mailLink({ email, purpose: 'password', origin: siteOrigin(host, config) })
  return `${FORGOT_PAGE}?sent`
}
