import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 22

/** A new id of a request: `req_` and 22 base62 characters. */
export function createRequestId(): string {
  let id = 'req_'
  for (const byte of randomBytes(LENGTH)) id += ALPHABET[byte % ALPHABET.length] // the slight preference for some letters harms no id
  return id
}
