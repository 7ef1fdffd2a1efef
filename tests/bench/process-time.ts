import { readFileSync } from 'node:fs'

/** The tick of the times in /proc/PID/stat, on every architecture that Node.js runs on (proc(5)). */
const TICK_MS = 10

/**
 * Milliseconds of CPU time that a process has used so far, without its children. NaN if there is no /proc. Unlike
 * elapsed time, CPU time is independent of other load on the machine.
 */
export function measureProcessTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    // Utime and stime, counted from the end of the name in brackets.
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.NaN // The system isn't Linux.
  }
}
