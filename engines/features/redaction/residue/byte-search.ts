/** Minimum length of a pattern in bytes. Patterns are looked up by their first bytes. */
export const LEAST_BYTES = 4

const TABLE_BITS = 16

/** Finds many patterns in bytes at once, ignoring the case of Latin-1 letters. */
export class ByteSearch {
  private readonly patterns: Uint8Array[]
  private readonly byStart = new Map<number, number[]>()
  private readonly mayStart = new Uint8Array(2 ** TABLE_BITS)

  /** Ignores patterns of fewer than four bytes. */
  constructor(patterns: readonly Uint8Array[]) {
    this.patterns = patterns.map(pattern => pattern.map(byte => FOLDED[byte] as number))
    for (const [index, pattern] of this.patterns.entries()) {
      if (pattern.length < LEAST_BYTES) continue
      const start = keyOf(pattern, 0)
      this.mayStart[hash(start)] = 1
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), index])
    }
  }

  /** Yields the index of each pattern that occurs, and its offset, in order of offset. */
  *find(bytes: Uint8Array): Generator<{ pattern: number; at: number }> {
    const { mayStart, byStart, patterns } = this
    if (byStart.size === 0 || bytes.length < LEAST_BYTES) return
    let key = keyOf(bytes, 0) >>> 8
    for (let at = 0; at + LEAST_BYTES <= bytes.length; at++) {
      key = ((key << 8) | (FOLDED[bytes[at + LEAST_BYTES - 1] as number] as number)) >>> 0
      if (mayStart[hash(key)] === 0) continue
      for (const pattern of byStart.get(key) ?? [])
        if (stands(patterns[pattern] as Uint8Array, bytes, at)) yield { pattern, at }
    }
  }
}

/** Maps uppercase letters of Latin-1 to lowercase letters. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x41 && byte <= 0x5a) || (byte >= 0xc0 && byte <= 0xde && byte !== 0xd7) ? byte + 32 : byte,
)

function keyOf(bytes: Uint8Array, at: number): number {
  let key = 0
  for (let index = 0; index < LEAST_BYTES; index++)
    key = ((key << 8) | (FOLDED[bytes[at + index] as number] as number)) >>> 0
  return key
}

function hash(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - TABLE_BITS)
}

function stands(pattern: Uint8Array, bytes: Uint8Array, at: number): boolean {
  if (at + pattern.length > bytes.length) return false
  for (let index = LEAST_BYTES; index < pattern.length; index++)
    if (pattern[index] !== FOLDED[bytes[at + index] as number]) return false
  return true
}
