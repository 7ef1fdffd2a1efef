import { expect, it, vi } from 'vitest'
import { CURRENCY_CODES } from '../../../../../engines/features/invoice/data/currencies'
import { openFormats } from '../../../../../engines/features/invoice/data/formats'
import { isTaxCategory } from '../../../../../engines/features/invoice/data/tax-fields'
import { exact } from '../../../../../engines/features/invoice/data/totals'

it('numbers and dates follow the language, and amounts have the decimals of the currency', () => {
  const english = openFormats('en', 'USD')
  expect(english.money(exact(1234.5))).toBe('$1,234.50')
  expect([english.price(2), english.price(0.0000126), english.price(-0)]).toEqual(['$2.00', '$0.000013', '$0.00'])
  expect([english.quantity(1e-7), english.quantity(-0), english.whole(1234)]).toEqual(['0', '0', '1,234'])
  expect([english.percent(0.055), english.percent(exact(0.077777))]).toEqual(['5.5%', '7.7777%'])
  expect(english.day('2026-11-27')).toBe('Nov 27, 2026')
  const german = openFormats('de', 'JPY')
  expect([german.money(exact(1234)), german.quantity(0.5)]).toEqual(['1.234\u00a0¥', '0,5'])
  // Alone, four digits would stand together in these languages.
  expect(['es', 'pl', 'pt-PT'].map(locale => openFormats(locale, 'EUR').quantity(6624))).toEqual([
    '6.624',
    '6\u00a0624',
    '6\u00a0624',
  ])
})

it('a category of VAT is one of the list', () => {
  expect(['S', 'M', 'X', 'toString', '', undefined].map(isTaxCategory)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

it('the formats of the last 50 languages and currencies are kept, so that memory is bounded', async () => {
  vi.resetModules() // Other tests of this worker may have opened formats.
  const { openFormats: open } = await import('../../../../../engines/features/invoice/data/formats')
  const [first = '', ...others] = CURRENCY_CODES
  const kept = open('en', first)
  for (const code of others.slice(0, 49)) open('en', code)
  expect(open('en', first)).toBe(kept)
  open('en', others[49] ?? '')
  expect(open('en', first)).not.toBe(kept)
})
