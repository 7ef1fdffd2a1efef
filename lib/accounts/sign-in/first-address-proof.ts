import { createHash } from 'node:crypto'
import type { Database, Queries } from '../../../db/database'
import { findUnproved, proveAndEnd, type UnprovedState } from '../../../db/queries/first-proof'
import type { Identity } from '../../../db/queries/identities'
import { getDatabase } from '../../database'
import { failPoint } from '../../fail-point'
import { type Account, findById, markVerified } from '../account/accounts'
import { maskApiKey } from '../key/api-key'

/*
 * A stranger may have opened an account whose address is unverified. A proof from a browser that is signed in to the
 * account changes nothing else. Any other first proof ends what was created before it, after its owner has seen the
 * list.
 */

/** Something that ends with the first proof of an address. */
export type Ending =
  | { kind: 'key'; masked: string; lastUsedAt: Date | null }
  | { kind: 'password' }
  | { kind: 'identity'; provider: string }
  | { kind: 'top-up'; dollars: number; card: string | null }

/** A proof of an address, by a mailed link or by a sign-in through another service. */
export interface Proof {
  accountId: string
  email: string
  /** Hash of the token of a mailed link. */
  tokenHash?: string | undefined
  identity?: Identity | undefined
}

/**
 * Returns what ends when somebody proves the address of an account, with a fingerprint of that list. Null when the
 * address is already verified.
 */
export async function describeEndings(
  proof: Proof,
  queries: Queries = getDatabase(),
): Promise<{ endings: Ending[]; fingerprint: string } | null> {
  const state = await findUnproved(queries, proof.accountId)
  return state === undefined
    ? null
    : {
        endings: listEndings(state, proof.identity),
        fingerprint: writeFingerprint(state),
      }
}

/**
 * Handles a proof for an existing account. If the browser is signed in to the account, or if nothing would end, the
 * proof is stored. Otherwise nothing changes and the proof is `held` until `confirmProof`.
 */
export async function takeProof(
  proof: Proof,
  signedInId: string | null,
  database: Database = getDatabase(),
): Promise<'proved' | 'held'> {
  if (proof.accountId === signedInId) {
    await markVerified(proof.accountId, database)
    return 'proved'
  }
  const outcome = await proveAndEnd(
    database,
    writeProof(proof),
    state => listEndings(state, proof.identity).length === 0,
  )
  return outcome === 'held' ? 'held' : 'proved'
}

/** The list that the visitor agreed to. */
interface Consent {
  fingerprint: string
  /**
   * Whether the list has changed once already. If so, the listed things end as they are. Otherwise a stranger could
   * delay the proof forever.
   */
  isFinal: boolean
}

/**
 * Stores a held proof and ends what was created before it. `changed`: the list differs from the one that was seen, and
 * nothing ended. `over`: the address was already verified, or the link was used.
 */
export async function confirmProof(
  proof: Proof,
  consent: Consent,
  database: Database = getDatabase(),
): Promise<Account | 'changed' | 'over'> {
  const mayEnd = (state: UnprovedState) => consent.isFinal || writeFingerprint(state) === consent.fingerprint
  failPoint('proof-begun')
  const outcome = await proveAndEnd(database, writeProof(proof), mayEnd, () => failPoint('proof-half-done'))
  failPoint('proof-done')
  if (outcome !== 'proved') return outcome === 'held' ? 'changed' : 'over'
  return (await findById(proof.accountId, database)) ?? 'over'
}

function writeProof({ accountId, email, tokenHash, identity }: Proof) {
  return { accountId, email, identity, link: tokenHash === undefined ? undefined : { tokenHash } }
}

/** `provingIdentity` is the sign-in that proves the address. It stays linked. */
function listEndings(
  { key, hasPassword, identities, topUp }: UnprovedState,
  provingIdentity: Identity | undefined,
): Ending[] {
  const endings: Ending[] = []
  if (key !== null)
    endings.push({
      kind: 'key',
      masked: maskApiKey(key.last4),
      lastUsedAt: fromSeconds(key.lastUsedAtS),
    })
  if (hasPassword) endings.push({ kind: 'password' })
  for (const { provider, providerAccountId } of identities) {
    const isOwn = provider === provingIdentity?.provider && providerAccountId === provingIdentity.providerAccountId
    if (!isOwn) endings.push({ kind: 'identity', provider })
  }
  if (topUp !== null) endings.push({ kind: 'top-up', dollars: topUp.amountCents / 100, card: topUp.cardLabel })
  return endings
}

function fromSeconds(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000)
}

/** Returns the same text for the same list, however the listed things were used in the meantime. */
function writeFingerprint({ key, hasPassword, identities, topUp }: UnprovedState): string {
  const parts = [
    key?.id,
    hasPassword,
    identities.map(one => [one.provider, one.providerAccountId]),
    topUp && [topUp.amountCents, topUp.cardLabel],
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
