import { z } from 'zod'
import type { Database } from '../../../db/database'
import {
  findAccountByEmail,
  findAccountById,
  insertAccount,
  raiseSessionVersion,
  updatePassword,
  updateVerified,
  type AccountRow,
} from '../../../db/queries/accounts'
import { getDatabase } from '../../database'
import { verifyPassword } from './password'

/** An account as the rest of the service sees it; the password's hash stays in here. */
export interface Account {
  id: string
  /** In lower case. */
  email: string
  name: string | null
  image: string | null
  emailVerified: Date | null
  hasPassword: boolean
  /** Part of every session; a session with another one has ended. */
  sessionVersion: number
  /** Below this balance the owner is told; 0 for never. */
  lowBalanceAt: number
  createdAt: Date
}

/** An address in the form in which it is stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** Whether a text, in normal form, can be an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && z.email().safeParse(text).success
}

/** The account of an id, or null. */
export async function findById(id: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await findAccountById(database, id))
}

/** The account of an address in any spelling, or null. */
export async function findByEmail(email: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await findAccountByEmail(database, normalizeEmail(email)))
}

/** The account whose address and password these are, or null; takes the same time whether or not there is one. */
export async function findByPassword(
  email: string,
  password: string,
  database: Database = getDatabase(),
): Promise<Account | null> {
  const row = await findAccountByEmail(database, normalizeEmail(email))
  const isRight = await verifyPassword(password, row?.passwordHash)
  return isRight ? toAccount(row) : null
}

export interface NewAccount {
  email: string
  name?: string | null
  image?: string | null
  passwordHash?: string | null
  /** Whether the address is known to be its owner's. */
  verified: boolean
  /** See `findSpentMonth`. */
  grantedMonth?: string | null
}

/**
 * Creates an account. When the address has one already nothing changes, its password and name included: whoever signs
 * up with an address that an operator or somebody else registered must not get into that account.
 */
export async function createAccount(
  { email, verified, ...details }: NewAccount,
  database: Database = getDatabase(),
): Promise<{ isNew: true; account: Account } | { isNew: false; account: null }> {
  const emailVerified = verified ? new Date() : null
  const row = await insertAccount(database, { ...details, email: normalizeEmail(email), emailVerified })
  return row === undefined ? { isNew: false, account: null } : { isNew: true, account: fromRow(row) }
}

/**
 * Sets the password, or removes it with null, and ends every session; gives the account with its new session version.
 * With `sessionVersion` only while the sessions of that version go on; null when they have ended.
 */
export async function setPassword(
  id: string,
  passwordHash: string | null,
  database: Database = getDatabase(),
  sessionVersion?: number,
): Promise<Account | null> {
  return toAccount(await updatePassword(database, id, passwordHash, sessionVersion))
}

/** Ends every session of an account; gives the account with its new session version. */
export async function endSessions(id: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await raiseSessionVersion(database, id))
}

/**
 * Notes that the address of an account is its owner's and changes nothing else: the proof comes from a browser that is
 * signed in to the account. A proof from any other browser is `proveAndEnd`'s.
 */
export async function markVerified(id: string, database: Database = getDatabase()): Promise<void> {
  await updateVerified(database, id, new Date())
}

function toAccount(row: AccountRow | undefined): Account | null {
  return row === undefined ? null : fromRow(row)
}

function fromRow({ passwordHash, ...account }: AccountRow): Account {
  return { ...account, hasPassword: passwordHash !== null }
}
