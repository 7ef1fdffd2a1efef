import { writeCounts } from './run-stages.mjs'

/** The closing lines of a run: what failed, each stage, and the sum. */
export function summarize(results) {
  const ran = results.filter(({ isNotRun }) => !isNotRun)
  const sum = kind => ran.reduce((total, result) => total + result[kind], 0)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  const broken = ran.filter(({ failed }) => failed > 0)
  const notRun = results.length - ran.length
  const lines = [
    ...(broken.length > 0 ? ['', `Failed: ${broken.map(({ name }) => name).join(', ')}`] : []),
    ...broken.flatMap(({ problems }) => problems),
    '',
    ...results.map(writeStage),
    '',
    `${writeCounts(total)}${notRun > 0 ? `, ${notRun} ${notRun === 1 ? 'stage' : 'stages'} not run` : ''}`,
  ]
  return { text: `${lines.join('\n')}\n`, hasPassed: total.failed === 0 && total.passed > 0 }
}

function writeStage(result) {
  const { name, seconds, cpu, isNotRun } = result
  if (isNotRun) return `${name.padEnd(18)} not run`
  const times = `${seconds.toFixed(0).padStart(5)} s${cpu === undefined ? '' : `${cpu.toFixed(0).padStart(6)} CPU-s`}`
  return `${name.padEnd(18)}${times}  ${writeCounts(result)}`
}
