import { Big } from 'big.js'

/** Maximum length of a number, because arithmetic takes longer than its digits. Real numbers are far shorter. */
const MAX_LENGTH = 60

/** A decimal text as a number. Undefined if it is missing, isn't a number, or is too long. */
export function numberOf(text: string | undefined): Big | undefined {
  return text !== undefined && text.length <= MAX_LENGTH && /^-?\d+(?:\.\d+)?$/.test(text) ? new Big(text) : undefined
}

/** A decimal text as a number. 0 if it is missing or isn't a number. */
export function orZero(text: string | undefined): Big {
  return numberOf(text) ?? new Big(0)
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
