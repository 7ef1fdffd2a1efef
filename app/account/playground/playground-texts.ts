import { WARNINGS, type Warning } from '../../../engines/types'
import { WARNING_ADVICE } from '../../../lib/docs/warnings'

/** Returns the meaning of each warning and what to do about it, as in the documentation. */
export function describeWarnings(): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(WARNINGS) as Warning[]).map(code => [code, `${WARNINGS[code]} ${WARNING_ADVICE[code]}`]),
  ) // The keys come from a constant object.
}
