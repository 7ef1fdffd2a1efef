import * as z from 'zod'
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
import { insertSignUp, type SignUpTerms } from '../../../db/queries/sign-ups'
import { getDatabase } from '../../database'
import { verifyPassword } from './password'

/** An account as the rest of the service sees it. The password hash stays in this module. */
export interface Account {
  id: string
  /** In lower case. */
  email: string
  name: string | null
  image: string | null
  emailVerified: Date | null
  hasPassword: boolean
  /** Part of every session. A session with another version has ended. */
  sessionVersion: number
  /** Below this balance, the owner is notified. 0 means never. */
  lowBalanceAt: number
  createdAt: Date
}

/** Returns an email address in the form in which it is stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** Returns whether a normalized text can be an email address. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && z.email().safeParse(text).success
}

/** Returns the account with this ID, or null. */
export async function findById(id: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await findAccountById(database, id))
}

/** Returns the account of an email address in any spelling, or null. */
export async function findByEmail(email: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await findAccountByEmail(database, normalizeEmail(email)))
}

/**
 * Returns the account with this email address and password, or null. Takes the same time with and without an account.
 */
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
  /** Whether the email address is known to belong to its owner. */
  verified: boolean
  /** See `findSpentMonth`. */
  grantedMonth?: string | null
}

/**
 * Creates an account. If the address already has an account, nothing changes, including its password and name. So
 * nobody can sign up to get into an account that somebody else registered.
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
 * Opens an account for a visitor. Returns null and changes nothing if the mailbox of the address has an account, or if
 * only invited addresses may sign up.
 */
export async function openAccount(
  { email, verified, ...details }: NewAccount,
  terms: SignUpTerms,
  database: Database = getDatabase(),
): Promise<Account | null> {
  const emailVerified = verified ? new Date() : null
  return toAccount(await insertSignUp(database, { ...details, email: normalizeEmail(email), emailVerified }, terms))
}

/**
 * Sets the password, or removes it with null, and ends every session. Returns the account with its new session version.
 * If `sessionVersion` is given and those sessions have ended, changes nothing and returns null.
 */
export async function setPassword(
  id: string,
  passwordHash: string | null,
  database: Database = getDatabase(),
  sessionVersion?: number,
): Promise<Account | null> {
  return toAccount(await updatePassword(database, id, passwordHash, sessionVersion))
}

/** Ends every session of an account. Returns the account with its new session version. */
export async function endSessions(id: string, database: Database = getDatabase()): Promise<Account | null> {
  return toAccount(await raiseSessionVersion(database, id))
}

/**
 * Marks the address of an account as verified and changes nothing else, because the browser is signed in to the
 * account. `proveAndEnd` handles a proof from any other browser.
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
