import { expect, it } from 'vitest'
import { writeNumber } from '../../../../engines/pdf/syntax/number-text'

it.each([
  [0, '0'],
  [-0.0000001, '0'],
  [12, '12'],
  [-0.5, '-0.5'],
  [1 / 3, '0.333333'],
  [1e-6, '0.000001'],
  [9e14, '900000000000000'],
  [2 ** 63, '9223372036854775808.0'],
  [-1e22, '-10000000000000000000000.0'],
  [Infinity, '0'],
])('writes %d as %s', (value, text) => {
  expect(writeNumber(value)).toBe(text)
})

it('throws for numbers that are too large for a real', () => {
  expect(Number(writeNumber(1e300))).toBeCloseTo(3.403e38, -30)
})
