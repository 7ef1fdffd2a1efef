import { WARNINGS, type Warning } from '../../../engines/types'
import { ERROR_ENTRIES } from '../../../lib/docs/errors'
import { WARNING_ADVICE } from '../../../lib/docs/warnings'

/** Returns the meaning of each warning and what to do about it, as in the documentation. */
export function describeWarnings(): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(WARNINGS) as Warning[]).map(code => [code, `${WARNINGS[code]} ${WARNING_ADVICE[code]}`]),
  ) // The keys come from a constant object.
}

/** Returns what to do about each error, as in the documentation. */
export function describeFixes(): Record<string, string> {
  return Object.fromEntries(Object.entries(ERROR_ENTRIES).map(([code, { fix }]) => [code, fix]))
}
