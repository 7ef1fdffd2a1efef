/** First key of the codes with 0 to 4 bytes. The keys are small numbers, because small numbers are fast to look up. */
const STARTS = [0, 0, 0x100, 0x10100, 0x1010100] as const

/** A character code and its length in bytes (1 to 4) as one number. Codes of different lengths have different keys. */
export function keyOfCode(code: number, length: number): number {
  return code + (STARTS[Math.min(length, 4)] ?? 0)
}

/** The character code of a key, and its length in bytes. */
export function codeOfKey(key: number): { code: number; length: number } {
  const length = key < STARTS[2] ? 1 : key < STARTS[3] ? 2 : key < STARTS[4] ? 3 : 4
  return { code: key - STARTS[length], length }
}

/** A character code as hexadecimal digits, two for each of its `length` bytes. */
export function writeCode(code: number, length: number): string {
  return code
    .toString(16)
    .toUpperCase()
    .padStart(length * 2, '0')
}
