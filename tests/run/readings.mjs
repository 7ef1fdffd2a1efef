/** The counts in vitest's JSON report; a file that failed before its first test counts as one failure. */
export function readVitest(report, code) {
  if (!report) return { failed: 1 }
  const brokenFiles = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'))
  return settle(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  })
}

/** The counts in Playwright's JSON report; errors outside of any test count as failures. */
export function readPlaywright(report, code) {
  if (!report) return { failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return settle(code, { passed: expected, failed: unexpected + flaky + report.errors.length, skipped })
}

/** The rows in the results of tests/hostile/chaos; one passed when all that was asked for was done without a fault. */
export function readChaos(report, code) {
  if (!report) return { failed: 1 }
  const rows = report.flatMap(result => result.rows)
  const judged = rows.filter(row => row.skipped === undefined)
  const passed = judged.filter(row => row.done >= row.asked && row.faults.length === 0).length
  return settle(code, { passed, failed: judged.length - passed, skipped: rows.length - judged.length })
}

/** A runner that ends with an error but names no failed test (an unhandled rejection, a crash) failed all the same. */
function settle(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
