import { exact } from '../data/totals'

/** A text without spaces around it. Undefined if nothing is left. */
export function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A JSON number as a decimal text without exponent. */
export function decimal(value: number): string {
  const number = exact(value)
  return number.eq(0) ? '0' : number.toFixed()
}

/** A fraction as a percentage, such as `19` for 0.19. */
export function percent(fraction: number): string {
  const number = exact(fraction).times(100)
  return number.eq(0) ? '0' : number.toFixed()
}
