import { digitsOf } from './currencies'
import { exact } from './totals'
import type { Exact } from './totals'

/** Formats numbers and dates in the language of an invoice. */
export interface Formats {
  /** Formats an amount with the decimals of the currency. */
  money(value: Exact): string
  /** Formats a unit price. It has at least the decimals of the currency, and at most six. */
  price(value: number): string
  /** Formats a quantity with at most six decimals. */
  quantity(value: number): string
  /** Formats a fraction as a percentage with at most four decimals. */
  percent(value: Exact | number): string
  /** Formats a date in the form YYYY-MM-DD. */
  day(iso: string): string
  whole(value: number): string
}

const MOST_DECIMALS = 6
const MOST_PERCENT_DECIMALS = 4

/** Formats by language and currency. Creating the formatters takes longer than drawing a short invoice's lines. */
const opened = new Map<string, Formats>()
const MOST_OPENED = 50

/**
 * Returns the formats for a language and a currency. The calendar is always Gregorian, like the dates in the request.
 */
export function openFormats(locale: string, currency: string): Formats {
  const key = `${locale} ${currency}`
  const known = opened.get(key)
  if (known) return known
  if (opened.size >= MOST_OPENED) opened.clear()
  const formats = createFormats(locale, currency)
  opened.set(key, formats)
  return formats
}

function createFormats(locale: string, currency: string): Formats {
  const digits = digitsOf(currency)
  const form = (options: Intl.NumberFormatOptions): ((value: string) => string) => {
    // Some languages group no number of four digits, but then 6624 stands beside 28 800.
    const format = new Intl.NumberFormat(locale, { ...options, useGrouping: 'always' })
    return value => format.format(value as Intl.StringNumericLiteral) // Big.js writes numbers in this form.
  }
  const money = form({ style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits })
  const price = form({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: MOST_DECIMALS,
  })
  const plain = form({ maximumFractionDigits: MOST_DECIMALS })
  const percent = form({ style: 'percent', maximumFractionDigits: MOST_PERCENT_DECIMALS })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' })
  return {
    money: value => money(value.toFixed(digits)),
    price: value => price(plainNumber(value)),
    quantity: value => plain(plainNumber(value)),
    percent: value => percent(typeof value === 'number' ? plainNumber(value) : value.toFixed()),
    day: iso => days.format(new Date(`${iso}T00:00:00Z`)),
    whole: value => plain(String(value)),
  }
}

/** Returns a number without an exponent, and without the sign of a negative zero. */
function plainNumber(value: number): string {
  const number = exact(value)
  return number.eq(0) ? '0' : number.toFixed()
}
