import { measureSlowness, readEndedCpuSeconds } from './cpu.mjs'

/**
 * Runs the stages of each lane one after the other, all lanes at the same time. The stages without a lane follow one
 * after the other. Returns the results in the order of the stages. Stages that would begin after `untilMs` don't run.
 * With `hasBudgets`, a stage fails that needs more than its `cpuSeconds` of processor time, on a slower machine in
 * proportion.
 */
export async function runStages(stages, { untilMs = Infinity, hasBudgets = false } = {}) {
  const begun = performance.now()
  const limitOf = ({ cpuSeconds = Infinity }) => (hasBudgets ? cpuSeconds * slowness : Infinity)
  const slowness = hasBudgets ? measureSlowness() : 1
  const takeCpuSeconds = createCpuMeter()
  const results = new Map()
  const runInTurn = async lane => {
    for (const stage of stages.filter(stage => stage.lane === lane)) {
      const isLate = performance.now() - begun > untilMs
      const running = isLate ? { name: stage.name, isNotRun: true } : runStage(stage, limitOf(stage), takeCpuSeconds)
      results.set(stage, await running)
    }
  }
  const lanes = new Set(stages.map(({ lane }) => lane).filter(lane => lane !== undefined))
  await Promise.all([...lanes].map(runInTurn))
  await runInTurn()
  return stages.map(stage => results.get(stage))
}

/**
 * Returns a function that returns the CPU time in seconds since its last call. The system counts a program with all its
 * children when it ends, so a call at the end of each stage measures it alone, even if another stage is still running.
 */
function createCpuMeter() {
  let last = readEndedCpuSeconds()
  return () => {
    if (last === undefined) return undefined
    const since = -last
    last = readEndedCpuSeconds()
    return since + last
  }
}

/** The counts of a stage. A stage that ends without counts, or needs more processor time than planned, is a failure. */
async function runStage({ name, title, run }, limit, takeCpuSeconds) {
  print(`\n── ${title}`)
  const started = performance.now()
  const counts = { passed: 0, failed: 0, skipped: 0, problems: [], slowest: [], ...(await run().catch(reportCrash)) }
  if (counts.passed + counts.failed + counts.skipped === 0) {
    counts.failed = 1
    counts.problems.push(`${name}: nothing ran`)
  }
  const seconds = (performance.now() - started) / 1000
  const cpu = takeCpuSeconds()
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
