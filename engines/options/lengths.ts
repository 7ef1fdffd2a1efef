// The browser converts lengths with the same code, so this file imports nothing.

/** Points per unit. A pixel is 1/96 inch, as in CSS. */
const POINTS = { pt: 1, mm: 72 / 25.4, cm: 72 / 2.54, in: 72, px: 0.75 }

export type Unit = keyof typeof POINTS

/** A length in options: points, or a number with a unit, such as `10mm`. */
export type Length = number | string

/** A number with a unit, as a pattern of JSON Schema, which has no flags. */
export const LENGTH_PATTERN = '^\\s*(-?\\d{1,9}(?:\\.\\d{1,9})?)\\s*([Pp][Tt]|[Mm][Mm]|[Cc][Mm]|[Ii][Nn]|[Pp][Xx])\\s*$'

/** Maximum length of a text with a length. */
export const MAX_LENGTH_TEXT = 40

const LENGTH = new RegExp(LENGTH_PATTERN)

/** Converts a value to points. */
export function toPoints(value: number, unit: Unit): number {
  return value * POINTS[unit]
}

/** Converts a length to points. Undefined if its text isn't a length. */
export function readLength(length: Length): number | undefined {
  if (typeof length === 'number') return length
  const [, value, unit] = LENGTH.exec(length) ?? []
  // The cast is safe, because the pattern lists the units.
  return value === undefined || unit === undefined ? undefined : toPoints(Number(value), unit.toLowerCase() as Unit)
}
