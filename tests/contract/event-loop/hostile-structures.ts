/** A value of an impossible size. `raw` is text that JSON.stringify can't write. */
export interface Structure {
  name: string
  /** The value with about this many bytes as JSON. */
  make?(bytes: number): unknown
  raw?(bytes: number): string
  /** Whether it is sent to every container. The others are sent to the whole body. */
  isUsual?: true
}

const MOST = 95_000 // Just below the number of values that a body may have.
const count = (bytes: number, each: number) => Math.min(MOST, Math.floor(bytes / each))
const keys = (bytes: number, keyOf: (index: number) => string) => {
  const each = keyOf(0).length + 12
  return Object.fromEntries(Array.from({ length: count(bytes, each) }, (_, index) => [keyOf(index) + index, 1]))
}
const elements = (value: unknown) => (bytes: number) =>
  Array.from({ length: count(bytes, JSON.stringify(value).length + 1) }, () => value)

export const STRUCTURES: readonly Structure[] = [
  { name: 'many keys', isUsual: true, make: bytes => keys(bytes, () => 'k') },
  { name: 'many keys that resemble others', make: bytes => keys(bytes, () => 'fonts') },
  { name: 'many long keys', make: bytes => keys(bytes, () => 'k'.repeat(90)) },
  { name: 'many keys with dots', make: bytes => keys(bytes, () => 'options.a[') },
  { name: 'one long key', make: bytes => ({ [`a${'['.repeat(bytes)}`]: 1 }) },
  { name: 'many numbers', isUsual: true, make: elements(1) },
  { name: 'many nulls', make: elements(null) },
  { name: 'many texts', make: elements('1-2') },
  { name: 'many objects', make: elements({}) },
  { name: 'many objects with unknown keys', isUsual: true, make: elements({ unknown: 1 }) },
  { name: 'many arrays', make: elements([[]]) },
  { name: 'nested arrays', raw: () => `${'['.repeat(10_000)}${']'.repeat(10_000)}` },
  { name: 'nested objects', raw: () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  {
    name: 'nested as deep as allowed',
    raw: bytes =>
      `[${Array.from({ length: count(bytes, 53) / 26 }, () => `${'['.repeat(26)}${']'.repeat(26)}`).join()}]`,
  },
  { name: 'number with many digits', isUsual: true, raw: bytes => '1'.repeat(Math.min(bytes, 100_000)) },
  { name: 'number with many decimals', raw: bytes => `0.${'1'.repeat(Math.min(bytes, 100_000))}` },
  { name: 'number with a large exponent', raw: () => '1e308' },
  { name: 'invalid JSON after many line breaks', raw: bytes => `${'\n'.repeat(Math.min(bytes, 500_000))}x` },
]
