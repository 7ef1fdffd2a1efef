import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'sheaf_live_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** Returns a new key: the prefix, 32 random base62 characters, and six characters for the CRC32 of all before them. */
export function mintApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${PREFIX}${random}${checksum(PREFIX + random)}`
}

/** Returns whether a text has the form of a key and the right checksum. Detects typing errors without the database. */
export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Returns the stored form of a key: SHA-256 in hex. A key has 190 random bits, so a slow hash isn't necessary. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey)
}

/** Returns the form of a key that may be shown after its creation: `sheaf_live_…x7Qd`. */
export function maskApiKey(last4: string): string {
  return `${PREFIX}…${last4}`
}

function checksum(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = `${ALPHABET[remainder % ALPHABET.length]}${digits}`
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return digits
}
