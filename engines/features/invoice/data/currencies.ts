/**
 * Currencies with other than two decimals (ISO 4217, list one). ICU differs for some currencies, because it follows
 * cash usage. Invoices use the units of the standard.
 */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map(code => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(code => [code, 3] as const),
  ...['CLF', 'UYW'].map(code => [code, 4] as const),
])

const USUAL_DIGITS = 2

/** Codes of the same list that ICU omits: units of account, and a currency with two codes. */
const ADDITIONAL_CODES = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED']

const codes = new Set([...Intl.supportedValuesOf('currency'), ...ADDITIONAL_CODES])

/** All currency codes in uppercase. */
export const CURRENCY_CODES: readonly string[] = [...codes]

/** Returns whether a text is a currency code in uppercase. */
export function isCurrency(code: string): boolean {
  return codes.has(code)
}

/** Returns the number of decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  return DIGITS.get(currency) ?? USUAL_DIGITS
}

/** Countries in which people pay in US dollars, also beside a currency of their own (ISO 3166-1). */
const DOLLAR_COUNTRIES: ReadonlySet<string> = new Set(
  'US AS BQ EC FM GU IO LR MH MP PA PR PW SV TC TL UM VG VI ZW'.split(' '),
)

/** Returns whether the invoices of a country are usually in US dollars. */
export function usesDollars(country: string): boolean {
  return DOLLAR_COUNTRIES.has(country)
}
