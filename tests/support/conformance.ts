import { validate } from '../../engines/conformance/validate'
import type { ProfileId } from '../../engines/conformance/profiles'
import type { Report } from '../../engines/conformance/report'
import { openDocument } from '../../engines/pdf-core/pages/open'
import { LIMITS } from './run-on'

/** Validates a file. */
export function validateFile(bytes: Uint8Array, profile: ProfileId): Promise<Report> {
  return validate(openDocument(bytes, LIMITS), bytes, profile)
}

/** The broken rules of a file, such as `6.3.1-1`. */
export async function listBrokenRules(bytes: Uint8Array, profile: ProfileId): Promise<string[]> {
  const { failures } = await validateFile(bytes, profile)
  return failures.map(({ clause, test }) => `${clause}-${test}`)
}
