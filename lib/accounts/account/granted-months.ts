import { createHmac } from 'node:crypto'
import type { Database } from '../../../db/database'
import { hasSpentGrant } from '../../../db/queries/deletion'
import { normalizeEmail } from './accounts'

interface Address {
  email: string
  /** The secret of the sessions. */
  secret: string
}

/**
 * Returns a keyed hash that represents the address of a deleted account until the month is over. Without the secret,
 * nobody can test addresses against it.
 */
export function hashAddress({ email, secret }: Address): string {
  return createHmac('sha256', secret)
    .update(`spent grant\0${normalizeEmail(email)}`)
    .digest('base64url')
}

/**
 * Returns the month that counts as already granted for a new account. This is the current month if an account with the
 * same address was deleted after its grant, so that nobody gets a month's credits twice. Otherwise null.
 */
export async function findSpentMonth(address: Address, database: Database): Promise<string | null> {
  const month = currentMonth()
  return (await hasSpentGrant(database, month, hashAddress(address))) ? month : null
}

/** Returns the current month in UTC, such as `2026-11`. */
export function currentMonth(): string {
  return new Date().toISOString().slice(0, 7)
}
