import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Who holds a lock or uses a build: its pid and when it was born, since pids are used again. */
export function describeOwner(pid = process.pid) {
  return { pid, born: findBirth(pid) }
}

/** Whether that very process still runs. */
export function isAlive(owner) {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return false
  }
  const born = findBirth(owner.pid)
  return born === undefined || owner.born === undefined || born === owner.born
}

/** When a process started, as a text to compare; undefined when nobody can tell. */
function findBirth(pid) {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return `${boot}-${fields[19]}` // ticks since boot
  } catch {
    return undefined // no such process, or no right to look: the caller then goes by the pid alone
  }
}
