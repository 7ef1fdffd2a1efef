import { readFileSync } from 'node:fs'
import { listProcessTree } from '../../engines/webpage/browser/process-tree'

/** The tick of the times in /proc/PID/stat, on every architecture that Node.js runs on (proc(5)). */
const TICK_MS = 10

/** Fields of /proc/PID/stat, counted from the end of the name in brackets. */
const OWN_TIMES = [11, 12]
const TIMES_OF_ENDED_CHILDREN = [13, 14]

/**
 * Milliseconds of CPU time that a process has used so far, without its children. NaN if there is no /proc. Unlike
 * elapsed time, CPU time is independent of other load on the machine.
 */
export function measureProcessTime(pid: number): number {
  return readTimes(pid, OWN_TIMES)
}

/**
 * Milliseconds of CPU time that a process and its descendants have used so far, including children that have ended. 0
 * if there is no /proc.
 */
export function measureTreeTime(pid: number): number {
  const times = listProcessTree(pid).map(one => readTimes(one, [...OWN_TIMES, ...TIMES_OF_ENDED_CHILDREN]))
  return times.reduce((sum, ms) => sum + (Number.isNaN(ms) ? 0 : ms), 0) // A process that has ended has no times.
}

/**
 * The peak of this process's resident memory in bytes, from /proc (proc(5), VmHWM). The figure of getrusage contains
 * the memory of the process that started this one. Without /proc, that figure is returned.
 */
export function measurePeakBytes(): number {
  try {
    const peak = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (peak !== undefined) return Number(peak) * 1024
  } catch {
    // The system isn't Linux.
  }
  return process.resourceUsage().maxRSS * 1024
}

function readTimes(pid: number, fields: number[]): number {
  try {
    const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields.reduce((sum, field) => sum + Number(values[field]), 0) * TICK_MS
  } catch {
    return Number.NaN // The process has ended, or the system isn't Linux.
  }
}
