import { relative } from 'node:path'
import { ROOT } from '../../lib/build/project.mjs'

/** The counts in vitest's JSON report. A file that failed before its first test counts as one failure. */
export function readVitest(report, code) {
  if (!report) return { failed: 1 }
  const isFailed = ({ status }) => status === 'failed'
  const brokenFiles = report.testResults.filter(file => isFailed(file) && !file.assertionResults.some(isFailed))
  const tests = report.testResults.flatMap(file => file.assertionResults.filter(isFailed).map(test => ({ file, test })))
  return settle(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    slowest: findSlowest(report.testResults),
    problems: [
      ...brokenFiles.map(({ name, message }) => tellProblem(name, message)),
      ...tests.map(({ file, test }) => tellProblem(`${file.name}: ${test.fullName}`, test.failureMessages[0])),
    ],
  })
}

const SHOWN = 5

/** The files that took longest, in seconds. */
function findSlowest(files) {
  const measured = files.map(({ name, startTime, endTime }) => ({
    path: relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }))
  return measured.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
}

/** The counts in Playwright's JSON report. Errors outside tests count as failures. */
export function readPlaywright(report, code) {
  if (!report) return { failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  const specs = report.suites.flatMap(collectSpecs).filter(({ ok }) => !ok)
  const problems = [
    ...report.errors.map(({ message }) => tellProblem('outside of any test', message)),
    ...specs.map(({ file, title, tests }) =>
      tellProblem(`${file}: ${title}`, tests[0]?.results.find(({ error }) => error)?.error.message),
    ),
  ]
  return settle(code, { passed: expected, failed: unexpected + flaky + report.errors.length, skipped, problems })
}

function collectSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(collectSpecs)]
}

/** The rows in the results of tests/hostile/chaos. A row passes if everything in it ran without an error. */
export function readChaos(report, code) {
  if (!report) return { failed: 1 }
  const rows = report.flatMap(({ part, database, rows }) =>
    rows.map(row => ({ ...row, name: `${part}, ${database}: ${row.what}` })),
  )
  const judged = rows.filter(row => row.skipped === undefined)
  const failed = judged.filter(row => row.done < row.asked || row.problems.length > 0)
  const problems = failed.map(({ name, done, asked, problems: [first] }) =>
    tellProblem(`${name}, ${done}/${asked}`, first),
  )
  return settle(code, {
    passed: judged.length - failed.length,
    failed: failed.length,
    skipped: rows.length - judged.length,
    problems,
  })
}

const MOST_OF_A_PROBLEM = 300

/** A line with the failed test and the reason. The complete output is further up. */
function tellProblem(name, message = '') {
  return `${name} — ${message.replaceAll(/\s+/g, ' ').slice(0, MOST_OF_A_PROBLEM)}`
}

/** A runner that ends with an error but names no failed test (an unhandled rejection, a crash) failed too. */
function settle(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
