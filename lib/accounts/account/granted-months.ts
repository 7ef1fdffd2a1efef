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
 * What stands for the address of a deleted account until the month is over; without the secret nobody can try addresses
 * on it.
 */
export function hashAddress({ email, secret }: Address): string {
  return createHmac('sha256', secret)
    .update(`spent grant\0${normalizeEmail(email)}`)
    .digest('base64url')
}

/**
 * The month that a new account of an address counts as granted for: the running one when an account of it was deleted
 * after its grant, so that nobody gets a month's credits twice; null otherwise.
 */
export async function findSpentMonth(address: Address, database: Database): Promise<string | null> {
  const month = currentMonth()
  return (await hasSpentGrant(database, month, hashAddress(address))) ? month : null
}

/** The running month in UTC, `2026-11`. */
export function currentMonth(): string {
  return new Date().toISOString().slice(0, 7)
}
