import { AccountRefusal, notSignedIn } from '../account/account-refusal'
import type { Account } from '../account/accounts'
import { getDatabase } from '../../database'
import { createKey, describeKey, isKeyExists, isKeyOwnerGone, rotateSeenKey } from './keys'

/** The account that requests a key, with the version of its session. */
type Owner = Pick<Account, 'id' | 'sessionVersion'>

/**
 * Creates the account's first key, which is shown once. Throws AccountRefusal `key_exists` when the account has a key,
 * and `not_signed_in` when the session has ended meanwhile.
 */
export async function createShownKey({ id, sessionVersion }: Owner): Promise<{ apiKey: string }> {
  try {
    return await createKey(id, getDatabase(), sessionVersion)
  } catch (error) {
    if (isKeyOwnerGone(error)) throw notSignedIn()
    if (!isKeyExists(error)) throw error
    throw new AccountRefusal(
      409,
      'key_exists',
      "Your account already has a key, created in another window. If you didn't store the key, rotate it.",
    )
  }
}

/**
 * Replaces the key that the visitor saw. Throws AccountRefusal `key_changed` when that key isn't active any more, so
 * that the second of two windows doesn't end the first one's key. Throws `not_signed_in` when the session has ended
 * meanwhile.
 */
export async function rotateShownKey({ id, sessionVersion }: Owner, last4: string): Promise<{ apiKey: string }> {
  const rotated = await rotateSeenKey({ accountId: id, sessionVersion, last4 }).catch((error: unknown) => {
    throw isKeyOwnerGone(error) ? notSignedIn() : error
  })
  if (rotated !== null) return rotated
  const key = await describeKey(id)
  const currentKey = key === null ? 'Your account has no key now' : `Your key now ends in ${key.last4}`
  throw new AccountRefusal(
    409,
    'key_changed',
    `The key was changed in another window. ${currentKey}. Nothing was rotated.`,
  )
}
