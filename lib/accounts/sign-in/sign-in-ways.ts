import type { Config } from '../../config'
import { getConfig } from '../../config'
import { canSendMail } from '../../mail'
import { AccountRefusal } from '../account/account-refusal'
import { isOriginTrusted } from '../../site-origin'

const NO_PUBLIC_URL = 'Set PUBLIC_URL to the URL of this site to send sign-in links by email.'

/** The ways to sign in with this configuration. */
export interface SignInWays {
  /**
   * Whether a password sign-up is possible, which requires the embedded database and that sign-up isn't closed. If mail
   * can be sent, it verifies the address.
   */
  passwordSignUp: boolean
  /** Who may open an account. */
  signUp: Config['SIGN_UP']
  mail: boolean
  github: boolean
  google: boolean
  /** The settings that the operator must add before accounts or mail are possible. Null when nothing is missing. */
  missing: string | null
}

/**
 * Returns the ways to sign in. `host` is the request's Host header, because mailed links must not contain a foreign
 * host.
 */
export function signInWays(host: string | null | undefined, config: Config = getConfig()): SignInWays {
  const mailTrusted = isOriginTrusted(host, config)
  const { SIGN_UP: signUp } = config
  const passwordSignUp =
    signUp !== 'closed' && config.DATABASE_URL === undefined && (mailTrusted || !canSendMail(config))
  const mail = canSendMail(config) && mailTrusted
  const github = config.GITHUB_ID !== undefined && config.GITHUB_SECRET !== undefined
  const google = config.GOOGLE_ID !== undefined && config.GOOGLE_SECRET !== undefined
  return { passwordSignUp, signUp, mail, github, google, missing: missing() }

  function missing(): string | null {
    if (canSendMail(config) && !mailTrusted) return NO_PUBLIC_URL
    if (config.DATABASE_URL === undefined || mail || github || google) return null
    return (
      'With DATABASE_URL, users must confirm an email address before they get an account. Set SMTP_URL and MAIL_FROM ' +
      'for sign-in links, or GITHUB_ID and GITHUB_SECRET, or GOOGLE_ID and GOOGLE_SECRET.'
    )
  }
}

/** Returns whether the server can verify email addresses. */
export function canVerifyAddresses(config: Config = getConfig()): boolean {
  const { github, google } = signInWays(null, config)
  return canSendMail(config) || github || google
}

/** Refuses to mail a link that would contain a foreign Host header. Throws AccountRefusal. */
export function assertLinksWork(host: string | null | undefined, config: Config = getConfig()): void {
  if (!isOriginTrusted(host, config)) throw new AccountRefusal(503, 'mail_not_set_up', NO_PUBLIC_URL)
}
