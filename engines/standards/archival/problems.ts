import type { Problem } from '../../errors'
import type { Report } from '../conformance/examination/report'

/** The broken and undecided rules of a report, as problems of an error. */
export function listProblems({ failures, undecided }: Report): Problem[] {
  return [
    ...failures.map(({ clause, test, message, count, places: [place] }) => ({
      rule: `${clause}-${test}`,
      message:
        `${clause}-${test}: ${message} Found: ${place?.found ?? 'a violation'}` +
        `${place?.page === undefined ? '' : ` on page ${place.page}`}${count > 1 ? `, and ${count - 1} more` : ''}.`,
    })),
    ...undecided.map(({ clause, test }) => ({
      rule: `${clause}-${test}`,
      message: `${clause}-${test}: Sheaf could not decide this rule.`,
    })),
  ]
}
