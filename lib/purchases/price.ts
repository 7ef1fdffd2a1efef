/** What one cent buys: 1,000 credits cost 1 US dollar. */
export const CREDITS_PER_CENT = 10

/** In whole US dollars. */
export const PACKS = [5, 10, 25, 100]
export const LEAST_DOLLARS = 5
export const MOST_DOLLARS = 1000

/** Cents of a whole number of dollars that somebody typed; undefined when it is none, or out of bounds. */
export function readDollars(typed: string): number | undefined {
  const dollars = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return dollars >= LEAST_DOLLARS && dollars <= MOST_DOLLARS ? dollars * 100 : undefined
}
