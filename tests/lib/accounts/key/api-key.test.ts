import { describe, expect, it } from 'vitest'
import { hashApiKey, isApiKey, maskApiKey, mintApiKey } from '../../../../lib/accounts/key/api-key'

describe('an API key', () => {
  it('has the prefix, 32 random characters and a checksum of six', () => {
    const keys = Array.from({ length: 200 }, mintApiKey)
    for (const key of keys) expect(key).toMatch(/^sheaf_live_[0-9A-Za-z]{38}$/)
    expect(new Set(keys).size).toBe(200)
    expect(keys.every(isApiKey)).toBe(true)
  })

  it('ends in the CRC32 of the preceding text, in base62', () => {
    expect(isApiKey(`sheaf_live_${'0'.repeat(32)}${base62(crc32(`sheaf_live_${'0'.repeat(32)}`))}`)).toBe(true)
  })

  it('is recognized as mistyped if any one character is wrong, missing or swapped with its neighbor', () => {
    const key = mintApiKey()
    for (let index = 11; index < key.length; index += 1) {
      const wrong = key[index] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, index) + wrong + key.slice(index + 1))).toBe(false)
      expect(isApiKey(key.slice(0, index) + key.slice(index + 1))).toBe(false)
      const [left = '', right = ''] = key.slice(index - 1, index + 1)
      if (index > 11 && left !== right)
        expect(isApiKey(key.slice(0, index - 1) + right + left + key.slice(index + 1))).toBe(false)
    }
  })

  it('is refused with extra characters around it', () => {
    const key = mintApiKey()
    for (const text of [` ${key}`, `${key}\n`, `Bearer ${key}`, key.toUpperCase(), key.replace('live', 'test')])
      expect(isApiKey(text)).toBe(false)
  })

  it('is stored as a SHA-256 hash and shown by its last four characters', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(maskApiKey('x7Qd')).toBe('sheaf_live_…x7Qd')
  })
})

/** The reflected CRC32 of IEEE 802.3, bit by bit. */
function crc32(text: string): number {
  let rest = 0xff_ff_ff_ff
  for (const byte of Buffer.from(text)) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1
  }
  return ~rest >>> 0
}

function base62(number: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = `${digits[rest % 62]}${text}`
  return text.padStart(6, '0')
}
