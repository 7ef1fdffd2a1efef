import type { Database } from '../../../db/database'
import { findIdentityOwner, type Identity } from '../../../db/queries/identities'
import { getDatabase } from '../../database'
import { type Account, findByEmail, findById, normalizeEmail } from '../account/accounts'
import { type Proof, takeProof } from './first-address-proof'

/** A sign-in through another service, before next-auth looks up its account. */
interface Arrival {
  identity: Identity
  /** The address that the service vouches for, if any. */
  email: string | undefined
  /** The account that the browser is already signed in to. */
  signedIn: Account | null
}

/**
 * How to continue a sign-in. `go-on`: next-auth continues. `sign-up`: next-auth would create an account. `confirm`: the
 * proof must be confirmed first. `unproved`: the sign-in would link an account with an unverified address.
 */
export type Admission =
  | { kind: 'go-on' }
  | { kind: 'sign-up' }
  | { kind: 'confirm'; proof: Proof }
  | { kind: 'unproved' }

const GO_ON: Admission = { kind: 'go-on' }

/**
 * Decides how to continue a sign-in through another service. Its address proves the address of an account, as a mailed
 * link does. So a stranger who registered an address doesn't block its owner's sign-in.
 */
export async function admitIdentity(
  { identity, email, signedIn }: Arrival,
  database: Database = getDatabase(),
): Promise<Admission> {
  const account = await findTargetAccount({ identity, email, signedIn }, database)
  if (account === null) return { kind: 'sign-up' }
  if (account.emailVerified !== null) return GO_ON
  const isProof = email !== undefined && normalizeEmail(email) === account.email
  if (!isProof) return (await wouldLink({ identity, account, signedIn }, database)) ? { kind: 'unproved' } : GO_ON
  const proof = { accountId: account.id, email: account.email, identity }
  return (await takeProof(proof, signedIn?.id ?? null, database)) === 'proved' ? GO_ON : { kind: 'confirm', proof }
}

/**
 * Returns the account that next-auth would sign in to or link: the linked account, the session's, or the email
 * address's.
 */
async function findTargetAccount({ identity, email, signedIn }: Arrival, database: Database): Promise<Account | null> {
  const ownerId = await findIdentityOwner(database, identity)
  if (ownerId !== undefined) return findById(ownerId, database)
  return signedIn ?? (email === undefined ? null : findByEmail(email, database))
}

/**
 * Returns whether next-auth would link the sign-in to the account of the session, because it isn't linked to any
 * account yet.
 */
async function wouldLink(
  { identity, account, signedIn }: Pick<Arrival, 'identity' | 'signedIn'> & { account: Account },
  database: Database,
): Promise<boolean> {
  return signedIn?.id === account.id && (await findIdentityOwner(database, identity)) === undefined
}
