import { describe, expect, it } from 'vitest'
import { nameCountry, writeAddressLines } from '../../../../../engines/features/invoice/layout/address-lines'

const address = (country: string, parts: Record<string, string> = {}) => ({
  street: 'S 1',
  postCode: '123',
  city: 'City',
  region: 'RG',
  country,
  ...parts,
})

describe('the lines of an address', () => {
  it.each([
    ['DE', ['S 1', '123 City', 'RG']],
    ['FR', ['S 1', '123 City', 'RG']],
    ['IT', ['S 1', '123 City RG']],
    ['GB', ['S 1', 'City, RG', '123']],
    ['IE', ['S 1', 'City, RG', '123']],
    ['US', ['S 1', 'City, RG 123']],
    ['CA', ['S 1', 'City, RG 123']],
    ['AU', ['S 1', 'City, RG 123']],
    ['JP', ['123', 'RG City', 'S 1']],
  ])('are in the usual order of %s', (country, lines) =>
    expect(writeAddressLines(address(country), undefined)).toEqual(lines),
  )

  it('end with the name of the country, without empty parts', () => {
    expect(writeAddressLines({ city: ' ', street: 'S 1', country: 'FR' }, 'France')).toEqual(['S 1', 'France'])
    expect(writeAddressLines(undefined, 'France')).toEqual([])
  })

  it('name a city that is its own region once', () => {
    expect(writeAddressLines(address('DE', { region: 'City' }), undefined)).toEqual(['S 1', '123 City'])
  })
})

describe('the name of a country', () => {
  it('is in the language of the invoice', () => {
    expect([nameCountry('DE', 'fr'), nameCountry('DE', 'ja')]).toEqual(['Allemagne', 'ドイツ'])
  })

  it('is the code if there is no name', () => {
    expect(nameCountry('1A', 'en')).toBe('1A')
    expect(nameCountry(undefined, 'en')).toBeUndefined()
  })
})
