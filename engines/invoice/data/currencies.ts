/**
 * Currencies whose smallest unit is no hundredth (ISO 4217, list one). ICU has other numbers for some, which are what
 * people use in cash: an invoice is exact to the unit of the standard.
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

/** Codes of the same list that ICU leaves out: units of account, and a currency that has two codes. */
const FURTHER = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED']

const codes = new Set([...Intl.supportedValuesOf('currency'), ...FURTHER])

/** All currencies, by their codes in capitals. */
export const CURRENCY_CODES: readonly string[] = [...codes]

/** Whether it is the code of a currency, in capitals. */
export function isCurrency(code: string): boolean {
  return codes.has(code)
}

/** Decimals of an amount in that currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  return DIGITS.get(currency) ?? USUAL_DIGITS
}
