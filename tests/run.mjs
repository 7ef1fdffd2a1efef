// `npm test` runs every stage, `npm run check` the fast stages, and `node tests/run.mjs types unit` the named ones. The
// last line is `N passed, N failed` over all runners, with `, N skipped` if tests were skipped. Exit code 1 unless all
// passed.
import { ensureInstalled } from '../lib/build/build.mjs'
import { assertNode, enterProject } from '../lib/build/project.mjs'
import { runMain, tell } from '../lib/build/print-status.mjs'
import { STAGES } from './run/stages.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  const stages = chooseStages(process.argv.slice(2))
  await ensureInstalled(tell)
  const total = { passed: 0, failed: 0, skipped: 0 }
  const broken = []
  const problems = []
  for (const stage of stages) {
    const counts = await runStage(stage)
    for (const kind of Object.keys(total)) total[kind] += counts[kind]
    if (counts.failed) broken.push(stage.name)
    problems.push(...counts.problems)
  }
  if (broken.length) print(['', `Failed: ${broken.join(', ')}`, ...problems].join('\n'))
  print(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`)
  process.exitCode = total.failed || !total.passed ? 1 : 0
})

function chooseStages(args) {
  if (args.length === 0) return STAGES
  if (args[0] === '--fast') return STAGES.filter(stage => stage.fast)
  const unknown = args.filter(name => !STAGES.some(stage => stage.name === name))
  if (unknown.length)
    throw new Error(`no stage ${unknown.join(', ')}; there are ${STAGES.map(stage => stage.name).join(', ')}`)
  return STAGES.filter(stage => args.includes(stage.name))
}

/** The counts of a stage. A stage that ends without counts is a failure. */
async function runStage({ name, title, run }) {
  print(`\n── ${title}`)
  const started = performance.now()
  const counts = { passed: 0, failed: 0, skipped: 0, problems: [], ...(await run().catch(reportCrash)) }
  if (counts.passed + counts.failed === 0) {
    print(`${name}: nothing ran`)
    counts.failed = 1
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(`── ${name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`)
  return counts
}

function reportCrash(error) {
  print(error.message)
  return { failed: 1 }
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
