import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Returns the identity of a lock owner or build user: its PID and start time, because PIDs are reused. */
export function describeOwner(pid = process.pid) {
  return { pid, born: findBirth(pid) }
}

/** Returns whether exactly this process still runs. */
export function isAlive(owner) {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return false
  }
  const born = findBirth(owner.pid)
  return born === undefined || owner.born === undefined || born === owner.born
}

/** Returns the start time of a process as a text to compare. Undefined if it isn't available. */
function findBirth(pid) {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return `${boot}-${fields[19]}` // Clock ticks since boot.
  } catch {
    return undefined // The process doesn't exist or isn't readable. The caller then relies on the PID alone.
  }
}
