/** Initial keys of the two ciphers (Adobe Type 1 Font Format, 7.1). */
const EEXEC_KEY = 55_665
const CHARSTRING_KEY = 4330

const MULTIPLIER = 52_845
const ADDEND = 22_719

/** Number of bytes before the private part, which have no meaning. */
const EEXEC_LEAD = 4

/** Decrypts the private part of a Type 1 program. */
export function decryptPrivate(cipher: Uint8Array): Uint8Array {
  return decrypt(cipher, EEXEC_KEY).subarray(EEXEC_LEAD)
}

/** Encrypts the private part. The result can't be mistaken for hexadecimal digits. */
export function encryptPrivate(plain: Uint8Array): Uint8Array {
  return encrypt(plain, { key: EEXEC_KEY, lead: EEXEC_LEAD })
}

/**
 * Decrypts a charstring. `lenIV` is the number of bytes before it. If it is negative, the charstring isn't encrypted.
 */
export function decryptCharstring(cipher: Uint8Array, lenIV: number): Uint8Array {
  return lenIV < 0 ? cipher : decrypt(cipher, CHARSTRING_KEY).subarray(lenIV)
}

/** Encrypts a charstring. The inverse of `decryptCharstring`. */
export function encryptCharstring(plain: Uint8Array, lenIV: number): Uint8Array {
  return lenIV < 0 ? plain : encrypt(plain, { key: CHARSTRING_KEY, lead: lenIV })
}

function decrypt(cipher: Uint8Array, start: number): Uint8Array {
  let key = start
  return cipher.map(byte => {
    const plain = byte ^ (key >> 8)
    key = (Math.imul(byte + key, MULTIPLIER) + ADDEND) & 0xffff
    return plain
  })
}

function encrypt(plain: Uint8Array, { key: start, lead }: { key: number; lead: number }): Uint8Array {
  const cipher = new Uint8Array(lead + plain.length)
  cipher.set(plain, lead)
  let key = start
  for (const [at, byte] of cipher.entries()) {
    const coded = byte ^ (key >> 8)
    cipher[at] = coded
    key = (Math.imul(coded + key, MULTIPLIER) + ADDEND) & 0xffff
  }
  return cipher
}
