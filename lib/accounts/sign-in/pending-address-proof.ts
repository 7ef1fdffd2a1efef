import * as z from 'zod'
import { isLinkOpen } from '../../../db/queries/first-proof'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { type Account, findByEmail, normalizeEmail } from '../account/accounts'
import { rememberNetwork } from './attempt-limit'
import { requireAuthSecret } from '../session/auth-secret'
import { confirmProof, describeEndings, type Ending, type Proof } from './first-address-proof'
import { hashLinkToken } from './mailed-link'
import { readNextPath } from './next-path'
import { sealedCookie } from '../session/sealed-cookie'
import { currentAccount, startSession } from '../session/session'

/** The page that shows what would end. */
export const CONFIRM_PAGE = '/sign-in/confirm'

/** Enough time to read a page. A mailed link can be opened again. */
const HELD_SECONDS = 15 * 60

const heldProof = sealedCookie(
  'proof',
  z.object({
    accountId: z.string(),
    email: z.string(),
    tokenHash: z.string().optional(),
    identity: z.object({ provider: z.string(), providerAccountId: z.string() }).optional(),
    next: z.string(),
  }),
  HELD_SECONDS,
)

/** Keeps a proof in its browser until the owner has agreed to what ends. `next` is the path to continue at. */
export async function holdProof(proof: Proof, next: string): Promise<void> {
  await heldProof.keep({ ...proof, next })
}

interface FollowedLink {
  /** The parameters of the link. */
  email: string
  token: string
  callbackUrl: string
  /** The origin of this site. */
  origin: string
  signedInId: string | null
}

/**
 * Holds the proof of a mailed link if it is the first proof of its account and something would end. The link isn't used
 * up: for example, it can be opened again in a browser that is signed in to the account. Returns false for any other
 * link.
 */
export async function holdLink({ email, token, callbackUrl, origin, signedInId }: FollowedLink): Promise<boolean> {
  const account = await findByEmail(email)
  if (account === null || account.emailVerified !== null || account.id === signedInId) return false
  const tokenHash = hashLinkToken(token, requireAuthSecret(getConfig()))
  const proof = { accountId: account.id, email: account.email, tokenHash }
  if (normalizeEmail(email) !== email || !(await isLinkOpen(getDatabase(), email, tokenHash))) return false
  const description = await describeEndings(proof)
  if (description === null || description.endings.length === 0) return false
  await holdProof(proof, readNextPath(callbackUrl, origin))
  return true
}

/** The held proof as the page shows it. */
export interface HeldProofDescription {
  email: string
  /** Whether the proof is a link that can be opened again. */
  isLink: boolean
  endings: Ending[]
  fingerprint: string
}

/** Returns the proof that the browser holds, if it can still be confirmed. */
export async function describeHeldProof(): Promise<HeldProofDescription | null> {
  const proof = await heldProof.read()
  const description = proof === null ? null : await describeEndings(proof)
  return proof === null || description === null
    ? null
    : {
        email: proof.email,
        isLink: proof.tokenHash !== undefined,
        ...description,
      }
}

interface SubmittedForm {
  /** Fields of the page's form. */
  form: Record<string, string>
  clientAddress: string
}

/**
 * Does what the owner chose on the page: ends the listed things and signs in, or changes nothing. Returns the path to
 * continue at.
 */
export async function settleHeldProof({ form, clientAddress }: SubmittedForm): Promise<string> {
  const proof = await heldProof.read()
  if (form['answer'] !== 'continue') {
    await heldProof.drop()
    return '/sign-in?kept'
  }
  if (proof === null) return pathOfUsedProof()
  const outcome = await confirmProof(proof, { fingerprint: form['seen'] ?? '', isFinal: form['final'] === 'yes' })
  if (outcome === 'changed') return `${CONFIRM_PAGE}?changed`
  await heldProof.drop()
  if (outcome === 'over') return pathOfUsedProof()
  await signInByProof(outcome, proof, clientAddress)
  return proof.next
}

async function signInByProof(account: Account, proof: Proof, clientAddress: string): Promise<void> {
  await startSession(account, { isByMail: proof.tokenHash !== undefined })
  await rememberNetwork(account, clientAddress)
}

/** Another window of this browser may have confirmed the proof already. */
async function pathOfUsedProof(): Promise<string> {
  return (await currentAccount()) === null ? '/sign-in?error=Verification' : '/account'
}
