import * as z from 'zod'

/**
 * A text of a request, with at most `max` characters. A longer text fails before any other check of the schema sees it,
 * because the time of a pattern grows with its text. All texts of requests have this schema. `message` replaces the
 * message for a longer text.
 */
export function boundedText(max: number, message?: string) {
  return z.string().max(max, { abort: true, ...(message !== undefined && { error: message }) })
}
