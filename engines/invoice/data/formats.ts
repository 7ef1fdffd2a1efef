import { digitsOf } from './currencies'
import { exact } from './totals'
import type { Exact } from './totals'

/** How numbers and dates are written in an invoice's language. */
export interface Formats {
  /** An amount with the digits of the currency. */
  money(value: Exact): string
  /** A price of one: the currency's digits, more where it has more, at most six. */
  price(value: number): string
  /** At most six decimals. */
  quantity(value: number): string
  /** A fraction in percent, at most four decimals. */
  percent(value: Exact | number): string
  /** A day, YYYY-MM-DD. */
  day(iso: string): string
  whole(value: number): string
}

const MOST_DECIMALS = 6
const MOST_PERCENT_DECIMALS = 4

/** The calendar is the one of the dates that come in, whatever the language is used to. */
export function openFormats(locale: string, currency: string): Formats {
  const digits = digitsOf(currency)
  const form = (options: Intl.NumberFormatOptions): ((value: string) => string) => {
    const format = new Intl.NumberFormat(locale, options)
    return value => format.format(value as Intl.StringNumericLiteral) // as Big.js writes numbers
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

/** Without an exponent, and without a sign where it is zero. */
function plainNumber(value: number): string {
  const number = exact(value)
  return number.eq(0) ? '0' : number.toFixed()
}
