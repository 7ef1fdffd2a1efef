import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** Distinguishes a process from every other, including a later process with the same PID. */
export interface ProcessIdentity {
  pid: number
  /** On Linux, the boot ID and the start tick of the process. Elsewhere, its start time as `ps` prints it. */
  startedAt: string
}

/** Returns the identity of a running process. Undefined if no process has this PID. */
export function findProcess(pid: number): ProcessIdentity | undefined {
  if (!isRunning(pid)) return undefined
  const startedAt = process.platform === 'linux' ? readLinuxStart(pid) : readStartFromPs(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

/** Returns a name for the PID namespace, because two containers have different ones. Empty if there is only one. */
export function readPidSpace(): string {
  try {
    return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : ''
  } catch {
    return '' // A kernel without namespaces has one PID space.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process runs, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readLinuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Fields from number 3 on, because the name may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined // A zombie process: dead, but not reaped yet.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot}:${fields[19]}` // field 22 of proc(5)
  } catch {
    return undefined // The process ended in the meantime.
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
    return undefined // ps finds no such process.
  }
}
