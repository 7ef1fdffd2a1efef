import { readFileSync } from 'node:fs'

/** proc(5): a tick of the times in /proc/PID/stat, on every architecture that Node.js runs on. */
const TICK_MS = 10

/**
 * Milliseconds of processor time that a process has used so far, without its children; NaN where there is no /proc.
 * Unlike time on the clock, it says nothing about what else the machine does.
 */
export function measureProcessTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    // Utime and stime, counted from behind the name in brackets.
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.NaN // not Linux
  }
}
