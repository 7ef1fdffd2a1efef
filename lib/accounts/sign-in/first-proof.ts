import { createHash } from 'node:crypto'
import type { Database, Queries } from '../../../db/database'
import { findUnproved, proveAndEnd, type UnprovedState } from '../../../db/queries/first-proof'
import type { Identity } from '../../../db/queries/identities'
import { getDatabase } from '../../database'
import { type Account, findById, markVerified } from '../account/accounts'
import { maskApiKey } from '../key/api-key'

/*
 * An account whose address nobody has proved may have been opened by a stranger. A proof from a browser that is signed
 * in to the account changes nothing else. Any other first proof ends what was made before it, after its owner has seen
 * what that is.
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
  /** Hash of the link's token. */
  tokenHash?: string | undefined
  identity?: Identity | undefined
}

/**
 * What ends when somebody proves the address of an account, and what stands for exactly this; null when it was proved.
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
 * Takes a proof whose account exists: from the browser that is signed in to the account, or where nothing would end, it
 * is noted. Otherwise nothing changes and the proof is `held` until `confirmProof`.
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

/** What somebody has seen before they agreed. */
interface Consent {
  fingerprint: string
  /**
   * Whether the list had changed once already; then what stands on it ends as it is, or a stranger could go on for
   * ever.
   */
  isFinal: boolean
}

/**
 * Notes a proof that was held and ends what was made before it. `changed`: something else would end than was seen, and
 * nothing did; `over`: the address was proved before or the link was used.
 */
export async function confirmProof(
  proof: Proof,
  consent: Consent,
  database: Database = getDatabase(),
): Promise<Account | 'changed' | 'over'> {
  const mayEnd = (state: UnprovedState) => consent.isFinal || writeFingerprint(state) === consent.fingerprint
  const outcome = await proveAndEnd(database, writeProof(proof), mayEnd)
  if (outcome !== 'proved') return outcome === 'held' ? 'changed' : 'over'
  return (await findById(proof.accountId, database)) ?? 'over'
}

function writeProof({ accountId, email, tokenHash, identity }: Proof) {
  return { accountId, email, identity, link: tokenHash === undefined ? undefined : { tokenHash } }
}

/** `own` is the sign-in that proves the address: it goes on. */
function listEndings({ key, hasPassword, identities, topUp }: UnprovedState, own: Identity | undefined): Ending[] {
  const endings: Ending[] = []
  if (key !== null)
    endings.push({
      kind: 'key',
      masked: maskApiKey(key.last4),
      lastUsedAt: fromSeconds(key.lastUsedAtS),
    })
  if (hasPassword) endings.push({ kind: 'password' })
  for (const { provider, providerAccountId } of identities) {
    const isOwn = provider === own?.provider && providerAccountId === own.providerAccountId
    if (!isOwn) endings.push({ kind: 'identity', provider })
  }
  if (topUp !== null) endings.push({ kind: 'top-up', dollars: topUp.amountCents / 100, card: topUp.cardLabel })
  return endings
}

function fromSeconds(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000)
}

/** The same for the same things that end, whatever they were used for meanwhile. */
function writeFingerprint({ key, hasPassword, identities, topUp }: UnprovedState): string {
  const parts = [
    key?.id,
    hasPassword,
    identities.map(one => [one.provider, one.providerAccountId]),
    topUp && [topUp.amountCents, topUp.cardLabel],
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
