import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Length of a block and of an initialization vector in bytes. */
export const BLOCK_BYTES = 16
const NO_VECTOR = new Uint8Array(BLOCK_BYTES)

/** Encrypts whole blocks in CBC mode without padding. The key has 16 or 32 bytes. The vector is zero by default. */
export function encryptBlocks(key: Uint8Array, data: Uint8Array, vector: Uint8Array = NO_VECTOR): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** Decrypts whole blocks in CBC mode without removing padding. Further bytes at the end are ignored. */
export function decryptBlocks(key: Uint8Array, data: Uint8Array, vector: Uint8Array = NO_VECTOR): Uint8Array {
  const whole = data.subarray(0, data.length - (data.length % BLOCK_BYTES))
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(false)
  return Buffer.concat([decipher.update(whole), decipher.final()])
}

/** Encrypts data of any length. The vector comes first, and the data is padded (ISO 32000-2, 7.6.3.1). */
export function encryptPadded(key: Uint8Array, data: Uint8Array, vector: Uint8Array): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector)
  return Buffer.concat([vector, cipher.update(data), cipher.final()])
}

/**
 * Decrypts data that begins with its vector, and removes the padding. Data with damaged padding keeps all its bytes, so
 * that a truncated stream can still be read.
 */
export function decryptPadded(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length < BLOCK_BYTES * 2) return new Uint8Array(0)
  const plain = decryptBlocks(key, data.subarray(BLOCK_BYTES), data.subarray(0, BLOCK_BYTES))
  const padding = plain.at(-1) ?? 0
  const isPadded = padding >= 1 && padding <= BLOCK_BYTES && plain.subarray(-padding).every(byte => byte === padding)
  return isPadded ? plain.subarray(0, -padding) : plain
}
