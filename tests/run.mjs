// `npm test` runs the core stages, `npm run test:all` every stage in full, `npm run check` the fast ones, and `node
// tests/run.mjs types unit` the named ones. `--rest` runs what `npm test` leaves out. With `--until S`, stages that have
// not begun S seconds after the start don't run. The last line is `N passed, N failed` over all runners, with `, N
// skipped` if tests were skipped and `, N stages not run`. Exit code 1 unless all passed.
import { ensureInstalled } from '../lib/build/build.mjs'
import { assertNode, enterProject } from '../lib/build/project.mjs'
import { runMain, tell } from '../lib/build/print-status.mjs'
import { chooseStages, readArguments } from './run/choose-stages.mjs'
import { runStages } from './run/run-stages.mjs'
import { summarize } from './run/summary.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  const { scope, untilMs, names } = readArguments(process.argv.slice(2))
  const stages = chooseStages(scope, names)
  process.env.TEST_SCOPE = scope === 'all' || scope === 'rest' ? 'all' : 'core' // Read by tests/support/scope.ts.
  await ensureInstalled(tell)
  const results = await runStages(stages, { untilMs, hasBudgets: scope === 'core' })
  const { text, hasPassed } = summarize(results)
  process.stdout.write(text)
  process.exitCode = hasPassed ? 0 : 1
})
