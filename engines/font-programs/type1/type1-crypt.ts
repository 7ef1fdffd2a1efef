/** Keys of the two ciphers (Adobe Type 1 Font Format, 7.1). */
const EEXEC_KEY = 55_665
const CHARSTRING_KEY = 4330

const MULTIPLIER = 52_845
const ADDEND = 22_719

/** Bytes before the private part, which mean nothing. */
const EEXEC_LEAD = 4

/** The private part of a Type 1 program in the clear. */
export function decryptPrivate(cipher: Uint8Array): Uint8Array {
  return decrypt(cipher, EEXEC_KEY).subarray(EEXEC_LEAD)
}

/** The private part, encrypted so that it can't be taken for hexadecimal digits. */
export function encryptPrivate(plain: Uint8Array): Uint8Array {
  return encrypt(plain, { key: EEXEC_KEY, lead: EEXEC_LEAD })
}

/** A charstring in the clear; `lenIV` is the number of bytes before it, and below 0 it isn't encrypted. */
export function decryptCharstring(cipher: Uint8Array, lenIV: number): Uint8Array {
  return lenIV < 0 ? cipher : decrypt(cipher, CHARSTRING_KEY).subarray(lenIV)
}

/** The opposite of `decryptCharstring`. */
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
