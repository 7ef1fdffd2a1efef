import { createHash, randomBytes } from 'node:crypto'
import { insertMailToken } from '../../../db/queries/mail-tokens'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { findRequestId } from '../../http-exchange'
import { describeError, getLog } from '../../log'
import { sendMail } from '../../mail'
import { AccountRefusal } from '../account/account-refusal'
import { requireAuthSecret } from '../session/auth-secret'
import { ACCOUNT_PAGE } from './next-path'

/** Validity of a mailed link: an hour. */
export const LINK_SECONDS = 60 * 60

/** The purpose of a mailed link. */
export type LinkPurpose = 'sign-in' | 'sign-up' | 'password'

const PASSWORD_PAGE = '/account/settings#password-title'

interface LinkRequest {
  email: string
  purpose: Exclude<LinkPurpose, 'sign-in'>
  /** Scheme, host and port of this site. */
  origin: string
  /** The page that opens after a sign-up. */
  next?: string
}

/**
 * Mails a link that signs in through next-auth. The behavior doesn't depend on whether the address has an account.
 * Throws AccountRefusal `mail_not_sent`.
 */
export async function mailLink({ email, purpose, origin, next = ACCOUNT_PAGE }: LinkRequest): Promise<void> {
  const token = randomBytes(32).toString('hex')
  const callbackUrl = `${origin}${purpose === 'password' ? PASSWORD_PAGE : next}`
  const tokenHash = hashLinkToken(token, requireAuthSecret(getConfig()))
  await insertMailToken(getDatabase(), { email, tokenHash, seconds: LINK_SECONDS })
  const url = `${origin}/api/auth/callback/email?${new URLSearchParams({ callbackUrl, token, email }).toString()}`
  try {
    await sendMail({ to: email, ...writeLinkMail(purpose, url) })
  } catch (error) {
    getLog().warn({ requestId: findRequestId(), cause: describeError(error) }, 'failed to send a link by email')
    throw new AccountRefusal(503, 'mail_not_sent', 'The email was not sent. Check the address and try again.')
  }
}

/** Returns the stored form of a link's token, as next-auth computes it. */
export function hashLinkToken(token: string, secret: string): string {
  return createHash('sha256').update(`${token}${secret}`).digest('hex')
}

/** Returns subject and text of the mail with a link. */
export function writeLinkMail(purpose: LinkPurpose, url: string): { subject: string; text: string } {
  const { host } = new URL(url)
  const { subject, task, notes = [] } = WORDS[purpose]
  return {
    subject: `${subject} at ${host}`,
    text: [`Open this link to ${task}. The link works once and expires after 1 hour:`, url, ...notes, UNASKED]
      .join('\n\n')
      .concat('\n'),
  }
}

const UNASKED = "If you didn't request this email, ignore it."

const WORDS: Record<LinkPurpose, { subject: string; task: string; notes?: string[] }> = {
  'sign-in': { subject: 'Sign in to Sheaf', task: 'sign in to Sheaf' },
  'sign-up': {
    subject: 'Confirm your email address for Sheaf',
    task: 'confirm your email address and sign in to Sheaf',
    notes: [
      'Open the link in the browser that you used to sign up. In another browser, your account has no password yet.',
      'If this address already has an account, its password stays unchanged.',
    ],
  },
  password: {
    subject: 'Choose a new password for Sheaf',
    task: 'sign in to Sheaf and choose a new password',
    notes: [
      'You have 15 minutes to choose a password after you open the link. Without an account, the link creates one if ' +
        'sign-up is open to you.',
    ],
  },
}
