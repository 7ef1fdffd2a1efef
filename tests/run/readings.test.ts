import { expect, test } from 'vitest'
import { readChaos, readPlaywright, readVitest } from './readings.mjs'

const READERS = { readChaos, readPlaywright, readVitest }

const file = (status: string, ...tests: string[]) => ({
  name: 'sum.test.ts',
  status,
  message: 'no such\n module',
  assertionResults: tests.map((one, index) => ({
    fullName: `adds ${index}`,
    status: one,
    failureMessages: one === 'failed' ? ['expected 2'] : [],
  })),
})
const vitest = {
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [file('passed', 'passed', 'passed')],
}
const spec = (title: string, error?: string) => ({
  file: 'page.spec.ts',
  title,
  ok: error === undefined,
  tests: [{ results: [{ ...(error === undefined ? {} : { error: { message: error } }) }] }],
})
const playwright = {
  stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 },
  errors: [] as object[],
  suites: [{ specs: [spec('opens')], suites: [{ specs: [spec('closes', 'timed out')] }] }],
}
const passed = { ...playwright, suites: [] }
const row = { what: 'kill -9 of the server', done: 4, asked: 4, problems: [] as string[] }
const chaos = (...rows: object[]) => [
  { part: 'ledger', database: 'pglite', rows: [row] },
  { part: 'disk', database: 'postgres', rows },
]

test.each([
  ['counts passed tests', 'readVitest', vitest, 0, { passed: 2, failed: 0, skipped: 0, problems: [] }],
  [
    'lists the five slowest files',
    'readVitest',
    {
      ...vitest,
      testResults: [1, 6, 2, 5, 3, 4].map(seconds => ({
        ...file('passed', 'passed'),
        name: `${process.cwd()}/tests/${seconds}.test.ts`,
        startTime: 1000,
        endTime: 1000 + seconds * 1000,
      })),
    },
    0,
    { slowest: [6, 5, 4, 3, 2].map(seconds => ({ path: `tests/${seconds}.test.ts`, seconds })) },
  ],
  [
    'counts skipped and todo tests',
    'readVitest',
    { ...vitest, numPendingTests: 1, numTodoTests: 1 },
    0,
    { passed: 2, failed: 0, skipped: 2, problems: [] },
  ],
  [
    'counts a file that failed before its first test',
    'readVitest',
    { ...vitest, testResults: [file('failed')] },
    1,
    { passed: 2, failed: 1, skipped: 0, problems: ['sum.test.ts — no such module'] },
  ],
  [
    'does not count a failed test twice for its file',
    'readVitest',
    { ...vitest, numFailedTests: 1, testResults: [file('failed', 'failed', 'passed')] },
    1,
    { passed: 2, failed: 1, skipped: 0, problems: ['sum.test.ts: adds 0 — expected 2'] },
  ],
  [
    'fails a runner that ends with an error although every test passed',
    'readVitest',
    vitest,
    1,
    { passed: 2, failed: 1, skipped: 0, problems: [] },
  ],
  ['fails a runner that wrote no report', 'readVitest', undefined, 0, { failed: 1 }],
  ['counts passed browser tests', 'readPlaywright', passed, 0, { passed: 3, failed: 0, skipped: 0, problems: [] }],
  [
    'counts a test that only passed on retry as failed',
    'readPlaywright',
    { ...passed, stats: { ...passed.stats, expected: 2, flaky: 1 } },
    0,
    { passed: 2, failed: 1, skipped: 0, problems: [] },
  ],
  [
    'names a failed browser test',
    'readPlaywright',
    { ...playwright, stats: { ...playwright.stats, unexpected: 1 } },
    1,
    { passed: 3, failed: 1, skipped: 0, problems: ['page.spec.ts: closes — timed out'] },
  ],
  [
    'counts an error outside tests',
    'readPlaywright',
    { ...passed, errors: [{ message: 'no port' }] },
    1,
    { passed: 3, failed: 1, skipped: 0, problems: ['outside of any test — no port'] },
  ],
  [
    'counts the rows of all scenarios, and the rows that the machine could not run',
    'readChaos',
    chaos(row, { ...row, done: 0, asked: 0, skipped: 'no root' }),
    0,
    { passed: 2, failed: 0, skipped: 1, problems: [] },
  ],
  [
    'fails a row with an error, and a row with too few checks',
    'readChaos',
    chaos({ ...row, problems: ['a free file'] }, { ...row, done: 3 }),
    1,
    {
      passed: 1,
      failed: 2,
      skipped: 0,
      problems: [
        'disk, postgres: kill -9 of the server, 4/4 — a free file',
        'disk, postgres: kill -9 of the server, 3/4 — ',
      ],
    },
  ],
  [
    'fails a chaos run that ends with an error although every row passed',
    'readChaos',
    chaos(row),
    1,
    { passed: 2, failed: 1, skipped: 0, problems: [] },
  ],
])('%s', (_what, reader, report, code, counts) => {
  const { slowest, ...others } = READERS[reader as keyof typeof READERS](report, code)
  const found: object = 'slowest' in counts ? { slowest } : others
  expect(found).toEqual(counts)
})
