import { expect, it } from 'vitest'
import { readBilling, writeBilling } from '../../../lib/purchases/billing'

const address = { line1: '12 Row', line2: null, city: 'Bath', state: ' ', postal_code: 'BA1', country: 'GB' }
const details = {
  ...{ name: 'Ada', business_name: null, individual_name: null, email: 'ada@example.com', phone: null },
  ...{ address, tax_exempt: null, tax_ids: [] },
}
const ada = { name: 'Ada', email: 'ada@example.com', addressLines: ['12 Row', 'BA1 Bath', 'GB'] }
const taxId = (value: string | null) => ({ type: 'gb_vat' as const, value })

it.each([
  ['what is filled in', {}, ada],
  ['the company before its buyer', { business_name: 'Ada Ltd' }, { ...ada, name: 'Ada Ltd' }],
  ['the email if there is no name', { name: null }, { ...ada, name: 'ada@example.com' }],
  ['no blank email', { email: ' ' }, { name: 'Ada', addressLines: ada.addressLines }],
  ['no missing email', { email: null }, { name: 'Ada', addressLines: ada.addressLines }],
  ['no missing address', { address: null }, { ...ada, addressLines: [] }],
  [
    'a second line',
    { address: { ...address, line2: 'Flat 3' } },
    { ...ada, addressLines: ['12 Row', 'Flat 3', 'BA1 Bath', 'GB'] },
  ],
  ['all filled tax IDs', { tax_ids: ['A', null, '', 'B'].map(taxId) }, { ...ada, taxId: 'A, B' }],
  ['no missing tax ID', { tax_ids: null }, ada],
])('the invoice shows %s', (_what, changes, billing) => {
  expect(readBilling(writeBilling({ ...details, ...changes }))).toEqual(billing)
})

it('an invoice without details has no buyer', () => {
  for (const text of [null, writeBilling(null)]) expect(readBilling(text)).toEqual({ name: '', addressLines: [] })
})
