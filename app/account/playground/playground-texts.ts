import { WARNINGS, type Warning } from '../../../engines/types'
import { ERROR_ENTRIES } from '../../../lib/docs/errors'
import { WARNING_ADVICE } from '../../../lib/docs/warnings'

/** What each warning means and what to do about it, as the documentation says. */
export function describeWarnings(): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(WARNINGS) as Warning[]).map(code => [code, `${WARNINGS[code]} ${WARNING_ADVICE[code]}`]),
  ) // the keys of a constant
}

/** What can be done about each error, as the documentation says. */
export function describeFixes(): Record<string, string> {
  return Object.fromEntries(Object.entries(ERROR_ENTRIES).map(([code, { fix }]) => [code, fix]))
}
