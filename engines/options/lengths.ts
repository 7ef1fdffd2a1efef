/** Points in one of each unit; a pixel is 1/96 inch, as in CSS. */
const POINTS = { pt: 1, mm: 72 / 25.4, cm: 72 / 2.54, in: 72, px: 0.75 }

export type Unit = keyof typeof POINTS

/** A length as options hold it: points, or a number with its unit such as `10mm`. */
export type Length = number | string

const LENGTH = /^\s*(-?\d{1,9}(?:\.\d{1,9})?)\s*(pt|mm|cm|in|px)\s*$/i

/** Points of a number of units. */
export function toPoints(value: number, unit: Unit): number {
  return value * POINTS[unit]
}

/** Points of a length, or undefined when its text is none. */
export function readLength(length: Length): number | undefined {
  if (typeof length === 'number') return length
  const [, value, unit] = LENGTH.exec(length) ?? []
  // The pattern lists the units.
  return value === undefined || unit === undefined ? undefined : toPoints(Number(value), unit.toLowerCase() as Unit)
}
