import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { type Identity, insertIdentity } from './identities'
import { queueCustomerDeletions } from './deletion'
import { forgetTopUp } from './top-ups'

/**
 * Everything that was created for an account with an unverified address. It ends when somebody else verifies the
 * address.
 */
export interface UnprovedState {
  hasPassword: boolean
  key: { id: string; last4: string; lastUsedAtS: number | null } | null
  identities: Identity[]
  /** Automatic top-up, with the card if there is one. */
  topUp: { amountCents: number; cardLabel: string | null } | null
}

type UnprovedRow = {
  hasPassword: boolean
  keyId: string | null
  last4: string | null
  lastUsedAtS: number | null
  amountCents: number | null
  cardLabel: string | null
}

/** Returns what was created for an account with an unverified address. Undefined for any other account. */
export async function findUnproved(queries: Queries, accountId: string): Promise<UnprovedState | undefined> {
  const [row] = await queries.rows<UnprovedRow>(sql`
    select password_hash is not null as "hasPassword", api_keys.id as "keyId", last4,
      extract(epoch from last_used_at)::double precision as "lastUsedAtS",
      amount_cents as "amountCents", card_label as "cardLabel"
    from users
    left join api_keys on api_keys.account_id = users.id and rotated_at is null
    left join top_ups on top_ups.account_id = users.id
    where users.id = ${accountId} and email_verified is null and deleted_at is null`)
  if (row === undefined) return undefined
  const identities = await queries.rows<{ provider: string; providerAccountId: string }>(sql`
    select provider, provider_account_id as "providerAccountId" from oauth_accounts
    where user_id = ${accountId} order by provider, provider_account_id`)
  const { hasPassword, keyId, last4, lastUsedAtS, amountCents, cardLabel } = row
  return {
    hasPassword,
    key: keyId === null || last4 === null ? null : { id: keyId, last4, lastUsedAtS },
    identities,
    topUp: amountCents === null ? null : { amountCents, cardLabel },
  }
}

/** A proof of an address from a browser without a session of its account. */
interface StrangerProof {
  accountId: string
  email: string
  /** The mailed link that proves the address. The proof uses the link up. */
  link?: { tokenHash: string } | undefined
  /** The sign-in through another service that proves the address. The proof links it. */
  identity?: Identity | undefined
}

/**
 * `over`: the address was already verified, or the link was used. `held`: `mayEnd` returned false, and nothing changed.
 */
type ProofOutcome = 'proved' | 'held' | 'over'

/**
 * In one transaction, stores the first proof of an address and ends everything that was created before: password,
 * sessions, key, linked sign-ins, automatic top-up with its card, and known networks. `mayEnd` gets what would end
 * while it is locked. Tests can end the process in `whenHalfDone`.
 */
export async function proveAndEnd(
  database: Database,
  proof: StrangerProof,
  mayEnd: (state: UnprovedState) => boolean,
  whenHalfDone?: () => void,
): Promise<ProofOutcome> {
  const { accountId, email, link, identity } = proof
  const outcome = await database.transaction<ProofOutcome>(async queries => {
    const locked = await queries.rows(sql`
      select id from users
      where id = ${accountId} and email = ${email} and email_verified is null and deleted_at is null
      for no key update`)
    if (locked.length === 0) return 'over'
    await queries.rows(sql`select 1 as locked from top_ups where account_id = ${accountId} for update`)
    const state = await findUnproved(queries, accountId)
    if (state === undefined) return 'over'
    if (!mayEnd(state)) return 'held'
    if (link !== undefined && !(await useLink(queries, email, link.tokenHash))) return 'over'
    await endUnprovedState(queries, accountId, whenHalfDone)
    if (identity !== undefined) await insertIdentity(queries, { ...identity, accountId })
    return 'proved'
  })
  if (outcome === 'proved') database.keyOwners?.forget(accountId)
  return outcome
}

async function endUnprovedState(queries: Queries, accountId: string, whenHalfDone?: () => void): Promise<void> {
  await queries.rows(sql`
    update users set email_verified = clock_timestamp(), password_hash = null, session_version = session_version + 1
    where id = ${accountId}`)
  whenHalfDone?.()
  await queries.rows(
    sql`update api_keys set rotated_at = clock_timestamp() where account_id = ${accountId} and rotated_at is null`,
  )
  await queries.rows(sql`delete from oauth_accounts where user_id = ${accountId}`)
  await queries.rows(sql`delete from sign_in_networks where account_id = ${accountId}`)
  await queueCustomerDeletions(queries, accountId)
  await forgetTopUp(queries, accountId)
}

/** Returns whether a mailed link can still be used. */
export async function isLinkOpen(queries: Queries, email: string, tokenHash: string): Promise<boolean> {
  const rows = await queries.rows(sql`select 1 as found from verification_tokens where ${isOpen(email, tokenHash)}`)
  return rows.length > 0
}

async function useLink(queries: Queries, email: string, tokenHash: string): Promise<boolean> {
  const deletedLinks = await queries.rows(sql`
    delete from verification_tokens where ${isOpen(email, tokenHash)} returning 1 as used`)
  return deletedLinks.length > 0
}

function isOpen(email: string, tokenHash: string): SQL {
  return sql`identifier = ${email} and token = ${tokenHash} and expires > now()`
}
