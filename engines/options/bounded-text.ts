import * as z from 'zod'

/**
 * A text of a request, with at most `max` characters. A longer text fails before any other check of the schema sees it,
 * because the time of a pattern grows with its text. All texts of requests have this schema. `message` replaces the
 * message for a longer text.
 */
export function boundedText(max: number, message?: string) {
  return z.string().max(max, { abort: true, ...(message !== undefined && { error: message }) })
}

/** An object of a request with any keys, at most `max`. A larger object fails before its members are checked. */
export function boundedRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
  members = 'entries',
) {
  return z
    .preprocess(
      (input, context) => {
        if (typeof input !== 'object' || input === null || Object.keys(input).length <= max) return input
        context.addIssue({ code: 'custom', message: `must have at most ${max.toLocaleString('en')} ${members}.` })
        return z.NEVER
      },
      z.record(key, value),
    )
    .meta({ maxProperties: max })
}
