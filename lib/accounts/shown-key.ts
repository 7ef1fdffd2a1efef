import { AccountRefusal } from './account-refusal'
import { createKey, describeKey, isKeyExists, rotateSeenKey } from './keys'

/** The account's first key, for the one time that it is shown. Throws AccountRefusal `key_exists` when it has one. */
export async function createShownKey(accountId: string): Promise<{ apiKey: string }> {
  try {
    return await createKey(accountId)
  } catch (error) {
    if (!isKeyExists(error)) throw error
    throw new AccountRefusal(409, 'key_exists', 'This account has a key already; it was made in another window. Rotate it if you have not stored it.')
  }
}

/**
 * A new key in the place of the one that the visitor saw. Throws AccountRefusal `key_changed` when that one is not the
 * active one any more, so that of two windows that rotate at once the second is told instead of ending the first one's key.
 */
export async function rotateShownKey(accountId: string, last4: string): Promise<{ apiKey: string }> {
  const rotated = await rotateSeenKey({ accountId, last4 })
  if (rotated !== null) return rotated
  const key = await describeKey(accountId)
  const now = key === null ? 'there is no key now' : `the key now ends in ${key.last4}`
  throw new AccountRefusal(409, 'key_changed', `The key was changed in another window meanwhile: ${now}. Nothing was rotated here.`)
}
