import { validate } from '../../engines/standards/conformance/validate'
import type { ProfileId } from '../../engines/standards/conformance/examination/profiles'
import type { Report } from '../../engines/standards/conformance/examination/report'
import { openDocument } from '../../engines/pdf/open-save/open'
import { LIMITS } from './run-on'

/** Validates a file. */
export function validateFile(bytes: Uint8Array, profile: ProfileId): Report {
  return validate(openDocument(bytes, LIMITS), bytes, profile)
}

/** The broken rules of a file, such as `6.3.1-1`. */
export function listBrokenRules(bytes: Uint8Array, profile: ProfileId): string[] {
  const { failures } = validateFile(bytes, profile)
  return failures.map(({ clause, test }) => `${clause}-${test}`)
}
