import type { Database } from '../../../db/database'
import { findIdentityOwner, type Identity } from '../../../db/queries/identities'
import { getDatabase } from '../../database'
import { type Account, findByEmail, findById, normalizeEmail } from '../account/accounts'
import { type Proof, takeProof } from './first-proof'

/** A sign-in through another service, before next-auth looks for its account. */
interface Arrival {
  identity: Identity
  /** The address that the service vouches for; undefined where it vouches for none. */
  email: string | undefined
  /** The account that the browser is signed in to already. */
  signedIn: Account | null
}

/**
 * What is to become of a sign-in: next-auth goes on with it, its proof has to be confirmed first, or it would link an
 * account whose address nobody has proved.
 */
export type Admission = { kind: 'go-on' } | { kind: 'confirm'; proof: Proof } | { kind: 'unproved' }

const GO_ON: Admission = { kind: 'go-on' }

/**
 * Decides on a sign-in through another service. Its address proves that of an account that has none proved, as a mailed
 * link does, so that a stranger who registered an address doesn't block its owner's sign-in.
 */
export async function admitIdentity(
  { identity, email, signedIn }: Arrival,
  database: Database = getDatabase(),
): Promise<Admission> {
  const account = await findMeant({ identity, email, signedIn }, database)
  if (account === null || account.emailVerified !== null) return GO_ON
  const isProof = email !== undefined && normalizeEmail(email) === account.email
  if (!isProof) return (await wouldLink({ identity, account, signedIn }, database)) ? { kind: 'unproved' } : GO_ON
  const proof = { accountId: account.id, email: account.email, identity }
  return (await takeProof(proof, signedIn?.id ?? null, database)) === 'proved' ? GO_ON : { kind: 'confirm', proof }
}

/** The account that next-auth would sign in to or link: the linked account, the session's, or the email address's. */
async function findMeant({ identity, email, signedIn }: Arrival, database: Database): Promise<Account | null> {
  const ownerId = await findIdentityOwner(database, identity)
  if (ownerId !== undefined) return findById(ownerId, database)
  return signedIn ?? (email === undefined ? null : findByEmail(email, database))
}

/** Whether next-auth would link the sign-in to the account of the session, because no account has it yet. */
async function wouldLink(
  { identity, account, signedIn }: Pick<Arrival, 'identity' | 'signedIn'> & { account: Account },
  database: Database,
): Promise<boolean> {
  return signedIn?.id === account.id && (await findIdentityOwner(database, identity)) === undefined
}
