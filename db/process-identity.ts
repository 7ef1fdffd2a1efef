import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** What tells one process from every other, also from a later one that got the same number. */
export interface ProcessIdentity {
  pid: number
  /** On Linux the boot and the tick in which the process started, elsewhere its start as `ps` prints it. */
  startedAt: string
}

/** The identity of a running process; undefined when there is none of that number. */
export function findProcess(pid: number): ProcessIdentity | undefined {
  if (!isRunning(pid)) return undefined
  const startedAt = process.platform === 'linux' ? readLinuxStart(pid) : readStartFromPs(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

/**
 * Names the space in which process numbers count; two containers have different ones. Empty where there is only one.
 */
export function readPidSpace(): string {
  try {
    return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : ''
  } catch {
    return '' // a kernel without namespaces has one space
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // runs, but is another user's
  }
}

function readLinuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from field 3 on: the name may hold spaces
    if (fields[0] === 'Z') return undefined // dead, only not yet waited for
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot}:${fields[19]}` // field 22 of proc(5)
  } catch {
    return undefined // it ended meanwhile
  }
}

function readStartFromPs(pid: number): string | undefined {
  try {
    const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return start.trim() || undefined
  } catch {
    return undefined // ps finds no such process
  }
}
