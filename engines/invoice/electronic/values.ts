import { parseDecimal } from '../../einvoice/decimal'

/** A decimal text as a JSON number. Undefined if it isn't a number, or is too long. */
export function numberOf(text: string | undefined): number | undefined {
  return parseDecimal(text)?.toNumber()
}

/** A percentage as a fraction, exactly: 0.07 for `7`. Undefined if it isn't a number. */
export function fraction(percent: string | undefined): number | undefined {
  return parseDecimal(percent)?.div(100).toNumber()
}

/** Returns a copy without undefined members. */
export function withoutMissing<Value extends object>(value: Value): Value {
  // Members that can be undefined are optional in requests.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

/** A text with line feeds, without tabs and other control characters. */
export function onLines(text: string | undefined): string | undefined {
  return text
    ?.replace(/\r\n?/g, '\n')
    .replace(/[\t\u2028\u2029]/g, ' ')
    .trimEnd()
}

/** A text on a single line. */
export function onOneLine(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, ' ').trim()
}
