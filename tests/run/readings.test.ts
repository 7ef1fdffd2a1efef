import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map(one => ({ status: one })) })
const vitest = { numPassedTests: 2, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [file('passed', 'passed', 'passed')] }
const playwright = { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] as object[] }
const row = { what: 'kill -9 of the server', done: 4, asked: 4, faults: [] as string[] }
const chaos = (...rows: object[]) => [{ part: 'ledger', rows: [row] }, { part: 'disk', rows }]

test.each([
  ['counts what passed', 'readVitest', vitest, 0, { passed: 2, failed: 0, skipped: 0 }],
  ['counts what was skipped or is still to be written', 'readVitest', { ...vitest, numPendingTests: 1, numTodoTests: 1 }, 0, { passed: 2, failed: 0, skipped: 2 }],
  ['counts a file that broke before its first test', 'readVitest', { ...vitest, testResults: [file('failed')] }, 1, { passed: 2, failed: 1, skipped: 0 }],
  ['does not count a failed test twice for its file', 'readVitest', { ...vitest, numFailedTests: 1, testResults: [file('failed', 'failed', 'passed')] }, 1, { passed: 2, failed: 1, skipped: 0 }],
  ['fails a runner that ends badly with every test passed', 'readVitest', vitest, 1, { passed: 2, failed: 1, skipped: 0 }],
  ['fails a runner that wrote no report', 'readVitest', undefined, 0, { failed: 1 }],
  ['counts what passed in the browser', 'readPlaywright', playwright, 0, { passed: 3, failed: 0, skipped: 0 }],
  ['takes a test that passed only when it was tried again as failed', 'readPlaywright', { ...playwright, stats: { ...playwright.stats, expected: 2, flaky: 1 } }, 0, { passed: 2, failed: 1, skipped: 0 }],
  ['counts an error outside of any test', 'readPlaywright', { ...playwright, errors: [{}] }, 1, { passed: 3, failed: 1, skipped: 0 }],
  ['counts the rows of all chapters, and what the machine could not do', 'readChaos', chaos(row, { ...row, done: 0, asked: 0, skipped: 'no root' }), 0, { passed: 2, failed: 0, skipped: 1 }],
  ['fails a row with a fault, and one of which too little was done', 'readChaos', chaos({ ...row, faults: ['a free file'] }, { ...row, done: 3 }), 1, { passed: 1, failed: 2, skipped: 0 }],
  ['fails a chaos run that ends badly with every row passed', 'readChaos', chaos(row), 1, { passed: 2, failed: 1, skipped: 0 }],
])('%s', (_what, reader, report, code, counts) => {
  const script = `import * as readings from './tests/run/readings.mjs'
    console.log(JSON.stringify(readings[${JSON.stringify(reader)}](${JSON.stringify(report)}, ${code})))`
  expect(JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))).toEqual(counts)
})
