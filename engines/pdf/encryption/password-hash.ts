import { createHash } from 'node:crypto'
import { encryptBlocks } from './aes'

const HASHES = ['sha256', 'sha384', 'sha512'] as const

/** Algorithm 2.B takes 64 rounds, or more until the last byte is small. Each encrypts its input 64 times. */
const LEAST_ROUNDS = 64
const REPETITIONS = 64

/** The SHA-256 of several parts in a row. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  return hashParts('sha256', parts)
}

/** The MD5 of several parts in a row, which old files need. */
export function md5(...parts: Uint8Array[]): Uint8Array {
  return hashParts('md5', parts)
}

function hashParts(algorithm: string, parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * The hash of a password in revision 6 (ISO 32000-2, 7.6.4.3.4, algorithm 2.B). `userEntry` are the 48 bytes of /U if
 * the password is the owner's, otherwise none.
 */
export function hashPassword(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Uint8Array {
  let key = sha256(password, salt, userEntry)
  for (let round = 1; ; round++) {
    const block = Buffer.concat([password, key, userEntry])
    const repeated = Buffer.concat(Array.from({ length: REPETITIONS }, () => block))
    const encrypted = encryptBlocks(key.subarray(0, 16), repeated, key.subarray(16, 32))
    // The first 16 bytes as a number, modulo 3. 256 modulo 3 is 1, so the digits can be added.
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = hashParts(HASHES[remainder] ?? 'sha256', [encrypted])
    if (round >= LEAST_ROUNDS && (encrypted.at(-1) ?? 0) <= round - 32) return key.subarray(0, 32)
  }
}
