import type { Invoice } from '../data/invoice'

type Address = NonNullable<Invoice['from']['address']>

/** Countries whose post code follows the city or the region, on the same line. */
const CODE_LAST: ReadonlySet<string> = new Set(['AU', 'CA', 'IN', 'NZ', 'TW', 'US'])

/** Countries whose post code has its own line after the city. */
const CODE_BELOW: ReadonlySet<string> = new Set(['GB', 'IE', 'HK', 'SG'])

/** Countries whose province follows the city, on the same line. */
const REGION_BESIDE: ReadonlySet<string> = new Set(['IT'])

/** Countries whose addresses start with the post code and the largest unit. */
const LARGEST_FIRST: ReadonlySet<string> = new Set(['CN', 'JP', 'KR'])

/** The lines of a postal address in the usual order of its country. The name of the country comes last. */
export function writeAddressLines(address: Address | undefined, countryName: string | undefined): string[] {
  if (!address) return []
  const { street, street2, street3, postCode, city, region, country = '' } = address
  const streets = [street, street2, street3]
  const lines = LARGEST_FIRST.has(country)
    ? [postCode, joinFilled([region, city], ' '), ...streets]
    : CODE_LAST.has(country)
      ? [...streets, joinFilled([joinFilled([city, region], ', '), postCode], ' ')]
      : CODE_BELOW.has(country)
        ? [...streets, joinFilled([city, region], ', '), postCode]
        : REGION_BESIDE.has(country)
          ? [...streets, joinFilled([postCode, city, region], ' ')]
          : [...streets, joinFilled([postCode, city], ' '), region === city ? undefined : region]
  return [...lines, countryName].flatMap(line => line?.trim() || [])
}

/** The name of a country in a language. */
export function nameCountry(code: string | undefined, locale: string): string | undefined {
  if (code === undefined) return undefined
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code)
  } catch {
    return code
  }
}

/** Joins the texts that are neither undefined nor blank. */
function joinFilled(texts: readonly (string | undefined)[], separator: string): string {
  return texts.flatMap(text => text?.trim() || []).join(separator)
}
