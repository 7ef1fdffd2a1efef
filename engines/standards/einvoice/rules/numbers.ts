import { Big } from 'big.js'
import { parseDecimal } from '../decimal'

/** A decimal text as a number. 0 if it is missing or isn't a number. */
export function orZero(text: string | undefined): Big {
  return parseDecimal(text) ?? new Big(0)
}

/** The sum of decimal texts. */
export function sumOf(texts: readonly (string | undefined)[]): Big {
  return texts.reduce((sum, text) => sum.plus(orZero(text)), new Big(0))
}

/** Rounds to two decimals as the rules do: halves towards positive infinity (XPath, `fn:round`). */
export function roundCents(value: Big): Big {
  const scaled = value.times(100).plus(0.5)
  const whole = scaled.round(0, Big.roundDown)
  return (whole.gt(scaled) ? whole.minus(1) : whole).div(100)
}

/** Returns whether two decimal texts are equal. A missing one counts as 0. */
export function areEqual(one: string | undefined, other: Big): boolean {
  return orZero(one).eq(other)
}
