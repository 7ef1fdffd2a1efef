import { parseDecimal } from '../../../standards/einvoice/decimal'

/** A decimal text as a JSON number, or the text itself if it isn't a number. */
export function numberOrText(text: string | undefined): number | string | undefined {
  return parseDecimal(text)?.toNumber() ?? text
}

/** A percentage as a fraction, exactly: 0.07 for `7`. The text itself if it isn't a number. */
export function fractionOrText(percent: string | undefined): number | string | undefined {
  return parseDecimal(percent)?.div(100).toNumber() ?? percent
}

/** Fields of requests with several lines. All others have one. */
const FIELDS_WITH_LINES: ReadonlySet<string> = new Set([
  'notes',
  'text',
  'paymentTerms',
  'legalInfo',
  'description',
  'details',
  'note',
])

/**
 * Returns a copy without undefined members, whose texts have no tabs and other separators. The texts of most fields are
 * on one line.
 */
export function withTidyTexts<Fields extends object = Record<string, unknown>>(fields: object): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, tidy(name, value)]],
    ),
  ) as Fields // What a file says needn't fit into a schema. Callers check that.
}

function tidy(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entry => tidy(name, entry))
  if (typeof value === 'object' && value !== null) return withTidyTexts(value)
  if (typeof value !== 'string' || name === 'dataBase64') return value
  if (!FIELDS_WITH_LINES.has(name)) return value.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, ' ')
    .trimEnd()
}
