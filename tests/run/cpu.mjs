// Processor time of the programs that a stage runs, and the speed of the machine.
import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** The CPU time in seconds of all processes that have ended below this one. Undefined where only Linux can tell. */
export function readEndedCpuSeconds() {
  return readCpu('self')?.endedSeconds
}

/**
 * Reads the CPU time of a process in seconds, that of the processes that have ended below it, and whether it is running
 * or could run at once. Undefined if there is no such process, or where only Linux can tell.
 */
export function readCpu(pid) {
  try {
    // The fields of proc_pid_stat(5). The name before `)` may contain spaces, so the third field is the first here.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [ownSeconds, endedSeconds] = [10, 12].map(
      at => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND,
    )
    return { ownSeconds, endedSeconds, isBusy: state === 'R' || state === 'D' }
  } catch {
    return undefined
  }
}

/** The CPU time in ms of an attempt on the machine for which limits are written. */
const USUAL_MS = 30
const ATTEMPTS = 10

/** How many times slower this machine is than that one, at least 1. The fastest of several attempts counts. */
export function measureSlowness() {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, values: [id, id + 1] })),
  )
  const measured = Array.from({ length: ATTEMPTS }, () => {
    const start = process.cpuUsage()
    for (let count = 0; count < 4; count++) JSON.parse(text)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.max(1, Math.min(...measured) / USUAL_MS)
}
