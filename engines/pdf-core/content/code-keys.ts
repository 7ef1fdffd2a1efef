/** Where the keys of codes of 0 to 4 bytes begin: small numbers, which are fast to look up. */
const STARTS = [0, 0, 0x100, 0x10100, 0x1010100] as const

/**
 * A code of a font and the number of its bytes (1 to 4) as one number: codes of different lengths are different codes.
 */
export function keyOfCode(code: number, length: number): number {
  return code + (STARTS[Math.min(length, 4)] ?? 0)
}

/** The code of a key, and its number of bytes. */
export function codeOfKey(key: number): { code: number; length: number } {
  const length = key < STARTS[2] ? 1 : key < STARTS[3] ? 2 : key < STARTS[4] ? 3 : 4
  return { code: key - STARTS[length], length }
}

/** A code of so many bytes as hexadecimal digits. */
export function writeCode(code: number, length: number): string {
  return code
    .toString(16)
    .toUpperCase()
    .padStart(length * 2, '0')
}
