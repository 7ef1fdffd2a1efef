import { ensureBuild } from '../../lib/build/build.mjs'
import { tell } from '../../lib/build/print-status.mjs'
import { NODE_VERSIONS, tryNodeVersions } from './node-versions.mjs'
import { readChaos, readPlaywright, readVitest } from './readings.mjs'
import { runProgram, withReportFile } from './programs.mjs'

const MINUTE = 60_000

const tool = path => `node_modules/${path}`

/** The stages in running order: quick ones come first. */
export const STAGES = [
  {
    name: 'types',
    title: 'Types',
    fast: true,
    run: () => checkWith(tool('typescript/bin/tsc'), ['--noEmit', '-p', '.']),
  },
  { name: 'lint', title: 'Lint', fast: true, run: lint },
  { name: 'format', title: 'Format', fast: true, run: () => checkWith(tool('oxfmt/bin/oxfmt'), ['--check', '.']) },
  {
    name: 'boundaries',
    title: 'Boundaries between the folders',
    fast: true,
    run: () => checkWith('tests/check-boundaries.mjs'),
  },
  {
    name: 'dead-code',
    title: 'Dead code and unused packages',
    fast: true,
    run: () => checkWith(tool('knip/bin/knip.js'), ['--no-progress', '--treat-config-hints-as-errors']),
  },
  { name: 'docs', title: 'Documents', fast: true, run: () => checkWith('tests/check-docs.mjs') },
  {
    name: 'patterns',
    title: 'Regular expressions and schemas of requests',
    fast: true,
    run: () => checkWith('tests/check-patterns.mjs'),
  },
  { name: 'licenses', title: 'Licenses', fast: true, run: () => checkWith('tests/check-licenses.mjs') },
  { name: 'unit', title: 'Unit tests', fast: true, run: () => runVitest(['unit', 'unit-isolated']) },
  { name: 'slow', title: 'Tests with browsers, processes, scans and traps', run: () => runVitest(['slow']) },
  { name: 'build', title: 'Build', run: build },
  {
    name: 'contract',
    title: 'Contract, on the embedded database and on a Postgres server',
    // A third worker uses the time in which others wait for a service to start or end.
    run: () => runVitest(['contract', 'contract-postgres'], ['--maxWorkers=3']),
  },
  {
    name: 'event-loop',
    title: 'Hostile requests and the event loop',
    run: () => runVitest(['event-loop']),
  },
  { name: 'chaos', title: 'Chaos, the short run', run: runChaos },
  { name: 'e2e', title: 'In the browser', run: runPlaywright },
  ...(NODE_VERSIONS.length > 0
    ? [{ name: 'node-versions', title: 'Other versions of Node.js', run: tryNodeVersions }]
    : []),
]

/** Runs a program that passes or fails as a whole and counts as one test. */
async function checkWith(script, args = []) {
  const code = await runProgram([script, ...args], { limitMs: 5 * MINUTE })
  return code === 0 ? { passed: 1 } : { failed: 1 }
}

function lint() {
  return checkWith(tool('oxlint/bin/oxlint'), ['--deny-warnings', '--report-unused-disable-directives'])
}

async function build() {
  await ensureBuild(tell, { use: false })
  return { passed: 1 }
}

/** Runs projects of tests/vitest.config.ts. */
function runVitest(projects, args = []) {
  return withReportFile(async report => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report.path}`]
    const chosen = projects.map(name => `--project=${name}`)
    const code = await runProgram(
      [tool('vitest/vitest.mjs'), 'run', '--config=tests/vitest.config.ts', ...reporters, ...chosen, ...args],
      { limitMs: 45 * MINUTE },
    )
    return readVitest(report.read(), code)
  })
}

function runPlaywright() {
  return withReportFile(async report => {
    const code = await runProgram([tool('@playwright/test/cli.js'), 'test', '--reporter=list,json'], {
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
