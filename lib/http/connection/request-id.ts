import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 22

/** A stock of random bytes. A system call for a few bytes costs more than the rest of an ID. */
const randomBytes = Buffer.alloc(LENGTH * 128)
let nextByte = randomBytes.length

/** Returns a new request ID: `req_` and 22 base62 characters. */
export function createRequestId(): string {
  if (nextByte === randomBytes.length) {
    randomFillSync(randomBytes)
    nextByte = 0
  }
  let id = 'req_'
  // The slight bias toward some letters does no harm in an ID.
  for (const byte of randomBytes.subarray(nextByte, (nextByte += LENGTH))) id += ALPHABET[byte % ALPHABET.length]
  return id
}
