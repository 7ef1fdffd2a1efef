import { decryptBlocks } from './aes'
import type { EncryptionDictionary } from './encryption-dictionary'
import { fillUp, listOldPasswordBytes, listPasswordBytes } from './password-bytes'
import { hashPassword, md5, sha256 } from './password-hash'
import { rc4 } from './rc4'

const NOTHING = new Uint8Array(0)

/** Parts of /U and /O from revision 5 on: a hash, and the salts of the password and of the key (7.6.4.4.7). */
const HASH_END = 32
const PASSWORD_SALT_END = 40
const ENTRY_BYTES = 48
const KEY_BYTES = 32

/** From revision 3 on, hashes are hashed, and texts encrypted, as often as this (7.6.4.3.2 and 7.6.4.4). */
const HASH_ROUNDS = 50
const CIPHER_ROUNDS = 20

/**
 * Finds the key of a file from a user or owner password. `id` is the first part of /ID. Undefined if the password is
 * wrong.
 */
export function findFileKey(
  encryption: EncryptionDictionary,
  id: Uint8Array,
  password: string,
): Uint8Array | undefined {
  const isNew = encryption.revision >= 5
  for (const bytes of isNew ? listPasswordBytes(password) : listOldPasswordBytes(password)) {
    const key = isNew ? findNewKey(encryption, bytes) : findOldKey(encryption, id, bytes)
    if (key) return key
  }
  return undefined
}

/** Algorithm 2.A of ISO 32000-2, 7.6.4.3.3. Revision 5 is an extension by Adobe with a plain hash. */
function findNewKey(
  { revision, owner, user, ownerKey, userKey }: EncryptionDictionary,
  password: Uint8Array,
): Uint8Array | undefined {
  const hash = revision === 5 ? sha256 : hashPassword
  const userEntry = user.subarray(0, ENTRY_BYTES)
  for (const [entry, key, context] of [
    [owner, ownerKey, userEntry],
    [user, userKey, NOTHING],
  ] as const) {
    if (entry.length < ENTRY_BYTES || key.length < KEY_BYTES) continue
    const passwordSalt = entry.subarray(HASH_END, PASSWORD_SALT_END)
    const keySalt = entry.subarray(PASSWORD_SALT_END, ENTRY_BYTES)
    if (!isEqual(hash(password, passwordSalt, context), entry.subarray(0, HASH_END))) continue
    return decryptBlocks(hash(password, keySalt, context), key.subarray(0, KEY_BYTES))
  }
  return undefined
}

/** Revisions 2 to 4. Files state wrong lengths of keys, so several are tried, in bytes. */
function findOldKey(encryption: EncryptionDictionary, id: Uint8Array, password: Uint8Array): Uint8Array | undefined {
  for (const length of new Set(encryption.keyLengths)) {
    if (length < 5 || length > 16) continue
    const asUser = fillUp(password)
    const asOwner = recoverUserPassword(encryption, length, asUser)
    for (const filled of [asUser, asOwner]) {
      const key = makeOldKey(encryption, { id, length, filled })
      if (isUserKey(encryption, id, key)) return key
    }
  }
  return undefined
}

/** Algorithm 2 of ISO 32000-2, 7.6.4.3.2. */
function makeOldKey(
  { revision, owner, permissions, encryptsMetadata }: EncryptionDictionary,
  { id, length, filled }: { id: Uint8Array; length: number; filled: Uint8Array },
): Uint8Array {
  const bits = Buffer.alloc(4)
  bits.writeInt32LE(permissions)
  const mark = revision >= 4 && !encryptsMetadata ? Uint8Array.of(255, 255, 255, 255) : NOTHING
  let key = md5(filled, owner.subarray(0, 32), bits, id, mark)
  if (revision >= 3) for (let round = 0; round < HASH_ROUNDS; round++) key = md5(key.subarray(0, length))
  return key.subarray(0, length)
}

/** Algorithms 6, 4 and 5: the key is right if it encrypts a known text to /U. */
function isUserKey({ revision, user }: EncryptionDictionary, id: Uint8Array, key: Uint8Array): boolean {
  if (revision === 2) return isEqual(rc4(key, fillUp(NOTHING)), user.subarray(0, 32))
  let text = rc4(key, md5(fillUp(NOTHING), id))
  for (let round = 1; round < CIPHER_ROUNDS; round++) text = rc4(mixIn(key, round), text)
  return isEqual(text, user.subarray(0, 16))
}

/** Algorithm 7: the owner password decrypts /O to the user password. */
function recoverUserPassword(
  { revision, owner }: EncryptionDictionary,
  length: number,
  filled: Uint8Array,
): Uint8Array {
  let hash = md5(filled)
  if (revision >= 3) for (let round = 0; round < HASH_ROUNDS; round++) hash = md5(hash)
  const key = hash.subarray(0, length)
  let text = owner.subarray(0, 32)
  const lastRound = revision === 2 ? 0 : CIPHER_ROUNDS - 1
  for (let round = lastRound; round >= 0; round--) text = rc4(mixIn(key, round), text)
  return text
}

/** The key of a round of encryption: each of its bytes XOR the number of the round. */
function mixIn(key: Uint8Array, value: number): Uint8Array {
  return key.map(byte => byte ^ value)
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length > 0 && Buffer.compare(one, other) === 0
}
