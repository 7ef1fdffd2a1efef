/** Credits for one cent: 1,000 credits cost 1 US dollar. */
export const CREDITS_PER_CENT = 10

/** Amounts to choose from, in whole US dollars. */
export const PACKS = [5, 10, 25, 100]
/** Minimum amount of a purchase, in US dollars. */
export const LEAST_DOLLARS = 5
/** Maximum amount of a purchase, in US dollars. */
export const MOST_DOLLARS = 1000

/** Returns the cents of a typed whole number of dollars. Undefined if the text isn't one, or is out of bounds. */
export function readDollars(typed: string): number | undefined {
  const dollars = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return dollars >= LEAST_DOLLARS && dollars <= MOST_DOLLARS ? dollars * 100 : undefined
}
