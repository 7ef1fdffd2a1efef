import { expect, it } from 'vitest'
import { readLength } from '../../../engines/options/lengths'

it('reads numbers as points, and numbers with a unit', () => {
  expect(
    [12.5, '72pt', '25.4mm', '2.54 cm', '1IN', '96px', ' -1in '].map(
      length => Math.round((readLength(length) ?? Number.NaN) * 1000) / 1000,
    ),
  ).toEqual([12.5, 72, 72, 72, 72, 72, -72])
})

it('reads nothing else', () => {
  for (const text of ['', '10', '1e3mm', '10 feet', 'mm', '1,5cm', '.5in', `${'9'.repeat(40)}mm`])
    expect(readLength(text)).toBeUndefined()
})
