import { sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { type AccountRow, findAccountById, type NewAccount } from './accounts'

/** Why an address may not open an account: its mailbox has one under another spelling, or nobody invited it. */
export type AddressProblem = 'alias' | 'not-invited'

/** Who may sign up. */
export interface SignUpTerms {
  /** Whether only invited addresses may open an account. */
  invitedOnly: boolean
}

/** An arbitrary number that differs from other locks. */
const ADDRESS_LOCK = 7_305_885

/** Returns the text that all spellings of an address share. */
export async function foldAddress(queries: Queries, email: string): Promise<string> {
  const [row] = await queries.rows<{ folded: string }>(sql`select fold_address(${email}) as folded`)
  return row?.folded ?? email
}

/**
 * Returns why an address may not open an account. Undefined if it may. Accounts with an unverified address don't keep
 * its owner out, because a stranger may have opened them.
 */
export async function findAddressProblem(
  queries: Queries,
  { email, isProved }: { email: string; isProved: boolean },
  { invitedOnly }: SignUpTerms,
): Promise<AddressProblem | undefined> {
  const [row] = await queries.rows<{ isTaken: boolean; isInvited: boolean }>(sql`
    select exists (select 1 from users where fold_address(email) = fold_address(${email})
        and (email_verified is not null or not ${isProved}::boolean)) as "isTaken",
      exists (select 1 from invitations where address = fold_address(${email})) as "isInvited"`)
  if (row?.isTaken === true) return 'alias'
  return invitedOnly && row?.isInvited !== true ? 'not-invited' : undefined
}

/**
 * Opens an account for an address and uses up its invitation. Returns undefined and changes nothing if the address may
 * not open one. Runs the same statements in both cases, so that the time doesn't reveal which one it was. Simultaneous
 * sign-ups with spellings of one address wait for each other.
 */
export async function insertSignUp(
  database: Database,
  account: NewAccount,
  terms: SignUpTerms,
): Promise<AccountRow | undefined> {
  const { email, emailVerified } = account
  const id = await database.transaction(async queries => {
    await queries.rows(
      sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}, hashtext(fold_address(${email}))) is null as locked`,
    )
    const problem = await findAddressProblem(queries, { email, isProved: emailVerified != null }, terms)
    return insertIf(queries, account, problem === undefined)
  })
  return findAccountById(database, id ?? '')
}

async function insertIf(queries: Queries, account: NewAccount, isAllowed: boolean): Promise<string | undefined> {
  const { email, name = null, image = null, passwordHash = null, emailVerified, grantedMonth = null } = account
  const [row] = await queries.rows<{ id: string }>(sql`
    with invitation as (
      delete from invitations where address = fold_address(${email}) and ${isAllowed}::boolean
    )
    insert into users (email, name, image, password_hash, email_verified, granted_month)
    select ${email}, ${name}::text, ${image}::text, ${passwordHash}::text,
      ${emailVerified?.toISOString() ?? null}::timestamptz, ${grantedMonth}::text
    where ${isAllowed}::boolean
    on conflict (email) do nothing returning id`)
  return row?.id
}

/** Lets an address sign up while sign-up is by invitation. */
export async function insertInvitation(queries: Queries, email: string): Promise<void> {
  await queries.rows(sql`insert into invitations (address) values (fold_address(${email})) on conflict do nothing`)
}
