import { ensureBuild } from '../../lib/build/build.mjs'
import { tell } from '../../lib/build/print-status.mjs'
import { NODE_VERSIONS, tryNodeVersions } from './node-versions.mjs'
import { readChaos, readPlaywright, readVitest } from './readings.mjs'
import { runProgram, withReportFile } from './programs.mjs'

const MINUTE = 60_000

/** Scopes of a command: `npm run check`, `npm test`, `npm run test:all`, and what `npm test` leaves out. */
const FAST = ['fast', 'core', 'all']
const CORE = ['core', 'all']
const MORE = ['rest', 'all']
const REST = ['rest']

const tool = path => `node_modules/${path}`

/**
 * The stages in running order: quick ones come first. Two lanes with about the same work run at the same time. A stage
 * without a lane runs alone, because it loads the machine. `cpuSeconds` is the budget of processor time in
 * `npm test`, about 1.25 times what the stage needed when it was set.
 */
export const STAGES = [
  check('types', 'Types', tool('typescript/bin/tsc'), ['--noEmit', '-p', '.']),
  {
    ...check('lint', 'Lint', tool('oxlint/bin/oxlint'), ['--deny-warnings', '--report-unused-disable-directives']),
    lane: 1,
  },
  check('format', 'Format', tool('oxfmt/bin/oxfmt'), ['--check', '.']),
  check('boundaries', 'Boundaries between the folders', 'tests/check-boundaries.mjs'),
  check('dead-code', 'Dead code and unused packages', tool('knip/bin/knip.js'), [
    '--no-progress',
    '--treat-config-hints-as-errors',
  ]),
  check('docs', 'Documents', 'tests/check-docs.mjs'),
  check('patterns', 'Regular expressions and schemas of requests', 'tests/check-patterns.mjs'),
  check('licenses', 'Licenses', 'tests/check-licenses.mjs'),
  vitest('fast', 'Fast unit tests', ['fast'], { lane: 1, projects: ['fast', 'unit-isolated'] }),
  vitest('unit', 'Unit tests, also with browsers, processes and traps', CORE, {
    lane: 1,
    projects: ['unit', 'unit-isolated'],
    cpuSeconds: 450,
  }),
  vitest('tables', 'Full tables', REST, { lane: 1, projects: ['sampled'] }),
  vitest('more', 'Further tests with browsers, processes and scans', MORE, { lane: 1, projects: ['more'] }),
  { name: 'build', title: 'Build', scopes: [...CORE, ...REST], lane: 2, run: build },
  { ...browserTests('e2e', 'In the browser', ['core'], ['--grep=@core']), cpuSeconds: 137 },
  browserTests('e2e-all', 'In the browser, everything', ['all'], []),
  browserTests('e2e-more', 'In the browser, the rest', REST, ['--grep-invert=@core']),
  vitest('contract', 'Contract, on the embedded database and a Postgres server', CORE, {
    lane: 2,
    projects: ['contract', 'postgres'],
    cpuSeconds: 230,
  }),
  vitest('contract-more', 'Contract, the rest on both databases', MORE, {
    lane: 2,
    projects: ['contract-more', 'postgres-more'],
  }),
  vitest('event-loop', 'Hostile requests and the event loop', MORE, { lane: 2, projects: ['event-loop'] }),
  { name: 'chaos', title: 'Chaos, the short run', scopes: MORE, run: runChaos },
  ...(NODE_VERSIONS.length > 0
    ? [{ name: 'node-versions', title: 'Other versions of Node.js', scopes: CORE, run: tryNodeVersions }]
    : []),
]

/** A program that passes or fails as a whole and counts as one test. */
function check(name, title, script, args = []) {
  const run = async () => {
    const code = await runProgram([script, ...args], { limitMs: 5 * MINUTE })
    return code === 0 ? { passed: 1 } : { failed: 1, problems: [`${name}: see above`] }
  }
  return { name, title, scopes: FAST, lane: 2, run }
}

/** Projects of tests/vitest.config.ts. */
function vitest(name, title, scopes, { projects, ...settings }) {
  return { name, title, scopes, ...settings, run: () => runVitest(projects) }
}

async function build() {
  await ensureBuild(tell, { use: false })
  return { passed: 1 }
}

function runVitest(projects) {
  return withReportFile(async report => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report.path}`]
    const chosen = projects.map(name => `--project=${name}`)
    const code = await runProgram(
      [tool('vitest/vitest.mjs'), 'run', '--config=tests/vitest.config.ts', ...reporters, ...chosen],
      { limitMs: 45 * MINUTE },
    )
    return readVitest(report.read(), code)
  })
}

/** Browser tests that Playwright chooses by `args`. */
function browserTests(name, title, scopes, args) {
  return { name, title, scopes, lane: 2, run: () => runPlaywright(args) }
}

function runPlaywright(args) {
  return withReportFile(async report => {
    const code = await runProgram([tool('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...args], {
      limitMs: 40 * MINUTE,
      environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report.path },
    })
    return readPlaywright(report.read(), code)
  })
}

function runChaos() {
  return withReportFile(async report => {
    const code = await runProgram(['tests/hostile/chaos/run.mjs', '--quick', '--results', report.path], {
      limitMs: 20 * MINUTE,
    })
    return readChaos(report.read(), code)
  })
}
