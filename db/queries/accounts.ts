import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../database'
import { users } from '../schema'

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  image: users.image,
  emailVerified: users.emailVerified,
  passwordHash: users.passwordHash,
  sessionVersion: users.sessionVersion,
  lowBalanceAt: users.lowBalanceAt,
  createdAt: users.createdAt,
}

export type AccountRow = Pick<typeof users.$inferSelect, keyof typeof columns>

export async function findAccountById(database: Database, id: string): Promise<AccountRow | undefined> {
  const [row] = await database.drizzle.select(columns).from(users).where(eq(users.id, id))
  return row
}

/** Returns the account with this email address, in lower case. */
export async function findAccountByEmail(database: Database, email: string): Promise<AccountRow | undefined> {
  const [row] = await database.drizzle.select(columns).from(users).where(eq(users.email, email))
  return row
}

export interface NewAccount {
  email: string
  name?: string | null
  image?: string | null
  passwordHash?: string | null
  emailVerified?: Date | null
  /** The latest month that counts as granted. */
  grantedMonth?: string | null
}

/** Inserts an account. Returns undefined and changes nothing if the address already has one. */
export async function insertAccount(database: Database, account: NewAccount): Promise<AccountRow | undefined> {
  const [row] = await database.drizzle
    .insert(users)
    .values(account)
    .onConflictDoNothing({ target: users.email })
    .returning(columns)
  return row
}

/**
 * Sets or removes the password and ends every session. Returns the updated row. With `sessionVersion`, only if the
 * sessions of that version haven't ended.
 */
export async function updatePassword(
  database: Database,
  id: string,
  passwordHash: string | null,
  sessionVersion?: number,
): Promise<AccountRow | undefined> {
  const isSession = sessionVersion === undefined ? undefined : eq(users.sessionVersion, sessionVersion)
  const [row] = await database.drizzle
    .update(users)
    .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(and(eq(users.id, id), isSession))
    .returning(columns)
  return row
}

/** Ends every session of an account. Returns the updated row. */
export async function raiseSessionVersion(database: Database, id: string): Promise<AccountRow | undefined> {
  const [row] = await database.drizzle
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, id))
    .returning(columns)
  return row
}

/** Sets the balance below which the owner is notified. */
export async function updateLowBalance(database: Database, id: string, lowBalanceAt: number): Promise<void> {
  await database.drizzle.update(users).set({ lowBalanceAt }).where(eq(users.id, id))
}

/**
 * Stores when the address was verified for the first time. Returns the updated row. Undefined if the address was
 * already verified.
 */
export async function updateVerified(
  database: Database,
  id: string,
  verifiedAt: Date,
): Promise<AccountRow | undefined> {
  const [row] = await database.drizzle
    .update(users)
    .set({ emailVerified: verifiedAt })
    .where(and(eq(users.id, id), isNull(users.emailVerified), isNull(users.deletedAt)))
    .returning(columns)
  return row
}
