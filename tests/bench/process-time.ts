import { readFileSync, readdirSync } from 'node:fs'

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

/**
 * Milliseconds of CPU time that a process and its running descendants have used so far, with those of their children
 * that have ended. Throws if the system has no /proc.
 */
export function measureTreeTime(pid: number): number {
  const parents = new Map<number, number>()
  const times = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      parents.set(Number(name), Number(fields[1]))
      // Utime, stime, and the same of ended children.
      times.set(Number(name), [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) * TICK_MS)
    } catch {
      // The process has ended.
    }
  }
  const isBelow = (one: number | undefined): boolean => one === pid || (one !== undefined && isBelow(parents.get(one)))
  return [...times].reduce((sum, [one, time]) => (isBelow(one) ? sum + time : sum), 0)
}
