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
 * The stages in running order: quick ones come first. A stage that often waits runs `beside` another one. `cpuSeconds` is
 * the budget of processor time in `npm test`, at least 1.5 times what the stage needed when it was set.
 */
export const STAGES = [
  check('types', 'Types', tool('typescript/bin/tsc'), ['--noEmit', '-p', '.']),
  check('lint', 'Lint', tool('oxlint/bin/oxlint'), ['--deny-warnings', '--report-unused-disable-directives']),
  check('format', 'Format', tool('oxfmt/bin/oxfmt'), ['--check', '.']),
  check('boundaries', 'Boundaries between the folders', 'tests/check-boundaries.mjs'),
  check('dead-code', 'Dead code and unused packages', tool('knip/bin/knip.js'), [
    '--no-progress',
    '--treat-config-hints-as-errors',
  ]),
  check('docs', 'Documents', 'tests/check-docs.mjs'),
  check('patterns', 'Regular expressions and schemas of requests', 'tests/check-patterns.mjs'),
  check('licenses', 'Licenses', 'tests/check-licenses.mjs'),
  vitest('fast', 'Fast unit tests', ['fast'], { projects: ['fast', 'unit-isolated'] }),
  vitest('unit', 'Unit tests, also with browsers, processes and traps', CORE, {
    projects: ['unit', 'unit-isolated'],
    cpuSeconds: 620,
  }),
  { name: 'build', title: 'Build', scopes: CORE, beside: 'unit', run: build },
  vitest('contract', 'Contract, on the embedded database and a Postgres server', CORE, {
    projects: ['contract', 'postgres'],
    cpuSeconds: 370,
  }),
  {
    name: 'e2e',
    title: 'In the browser',
    scopes: ['core'],
    beside: 'contract',
    cpuSeconds: 160,
    run: () => runPlaywright(['--grep=@core']),
  },
  { name: 'e2e-all', title: 'In the browser, everything', scopes: ['all'], run: () => runPlaywright([]) },
  {
    name: 'e2e-more',
    title: 'In the browser, the rest',
    scopes: REST,
    run: () => runPlaywright(['--grep-invert=@core']),
  },
  vitest('tables', 'Full tables', REST, { projects: ['sampled'] }),
  vitest('more', 'Further tests with browsers, processes and scans', MORE, { projects: ['more'] }),
  vitest('contract-more', 'Contract, the rest on both databases', MORE, {
    projects: ['contract-more', 'postgres-more'],
  }),
  vitest('event-loop', 'Hostile requests and the event loop', MORE, { projects: ['event-loop'] }),
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
  return { name, title, scopes: FAST, run }
}

/** Projects of tests/vitest.config.ts. */
function vitest(name, title, scopes, { projects, cpuSeconds }) {
  return { name, title, scopes, cpuSeconds, run: () => runVitest(projects) }
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
