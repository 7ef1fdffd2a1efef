import type { Problem } from '../../errors'
import type { Report } from '../conformance/examination/report'

/** The broken and undecided rules of a report, as problems of an error. */
export function listProblems({ failures, undecided }: Report): Problem[] {
  return [
    ...failures.map(({ clause, test, message, count, places: [location] }) => ({
      rule: `${clause}-${test}`,
      message:
        `${clause}-${test}: ${message} Found: ${location?.found ?? 'a violation'}` +
        `${location?.page === undefined ? '' : ` on page ${location.page}`}${count > 1 ? `, and ${count - 1} more` : ''}.`,
    })),
    ...undecided.map(({ clause, test }) => ({
      rule: `${clause}-${test}`,
      message: `${clause}-${test}: Sheaf could not decide this rule.`,
    })),
  ]
}
