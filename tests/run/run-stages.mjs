import { measureSlowness, readEndedCpuSeconds } from './cpu.mjs'

/**
 * Runs stages one after the other and returns their results. Stages that would begin after `untilMs` don't run. With
 * `hasBudgets`, a stage fails that needs more than its `cpuSeconds` of processor time, on a slower machine in proportion.
 */
export async function runStages(stages, { untilMs = Infinity, hasBudgets = false } = {}) {
  const begun = performance.now()
  const limitOf = ({ cpuSeconds = Infinity }) => (hasBudgets ? cpuSeconds * slowness : Infinity)
  const slowness = hasBudgets ? measureSlowness() : 1
  const results = []
  for (const stage of stages) {
    const isLate = performance.now() - begun > untilMs
    results.push(isLate ? { name: stage.name, isNotRun: true } : await runStage(stage, limitOf(stage)))
  }
  return results
}

/** The counts of a stage. A stage that ends without counts, or needs more processor time than planned, is a failure. */
async function runStage({ name, title, run }, limit) {
  print(`\n── ${title}`)
  const started = performance.now()
  const cpuBefore = readEndedCpuSeconds()
  const counts = { passed: 0, failed: 0, skipped: 0, problems: [], slowest: [], ...(await run().catch(reportCrash)) }
  if (counts.passed + counts.failed + counts.skipped === 0) {
    counts.failed = 1
    counts.problems.push(`${name}: nothing ran`)
  }
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuBefore === undefined ? undefined : readEndedCpuSeconds() - cpuBefore
  if (cpu > limit) {
    counts.failed += 1
    counts.problems.push(`${name}: needed ${cpu.toFixed(0)} s of processor time, and ${limit.toFixed(0)} s are planned`)
  }
  const times = `${seconds.toFixed(1)} s${cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of processor time`}`
  print(`── ${name}: ${writeCounts(counts)} (${times})`)
  for (const { path, seconds: needed } of counts.slowest) print(`   ${needed.toFixed(1).padStart(6)} s  ${path}`)
  return { name, ...counts, seconds, cpu }
}

/** Counts in words. */
export function writeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

function reportCrash(error) {
  print(error.message)
  return { failed: 1, problems: [error.message] }
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
