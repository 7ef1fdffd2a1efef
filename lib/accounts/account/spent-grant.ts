import { createHmac } from 'node:crypto'
import type { Database } from '../../../db/database'
import { hasSpentGrant } from '../../../db/queries/deletion'
import { foldAddress } from '../../../db/queries/sign-ups'
import { normalizeEmail } from './accounts'

interface Address {
  email: string
  /** The secret of the sessions. */
  secret: string
}

/**
 * Returns a keyed hash that represents all spellings of the address of a deleted account until the month is over.
 * Without the secret, nobody can test addresses against it.
 */
export async function hashAddress({ email, secret }: Address, database: Database): Promise<string> {
  const folded = await foldAddress(database, normalizeEmail(email))
  return createHmac('sha256', secret).update(`spent grant\0${folded}`).digest('base64url')
}

/**
 * Returns the month that counts as already granted for a new account. This is the current month if an account with the
 * same mailbox was deleted after its grant, so that nobody gets a month's credits twice. Otherwise null.
 */
export async function findSpentMonth(address: Address, database: Database): Promise<string | null> {
  const month = currentMonth()
  return (await hasSpentGrant(database, month, await hashAddress(address, database))) ? month : null
}

/** Returns the current month in UTC, such as `2026-11`. */
export function currentMonth(): string {
  return new Date().toISOString().slice(0, 7)
}
