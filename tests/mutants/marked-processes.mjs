import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readCpu } from '../run/cpu.mjs'

/** All processes below this one have this variable in their environment. */
const MARK = 'SHEAF_MUTANTS'

/** Marks the processes that start from now on. */
export function markProcesses() {
  process.env[MARK] = randomUUID()
}

/** The marked processes, without databases. Empty on systems without /proc. */
export function listMarked() {
  const mark = `${MARK}=${process.env[MARK]}`
  return readFolder('/proc').flatMap(name => {
    const isMarked = /^\d+$/.test(name) && readText(`/proc/${name}/environ`).split('\0').includes(mark)
    const isOurs = isMarked && Number(name) !== process.pid && !/postgres/.test(readText(`/proc/${name}/cmdline`))
    return isOurs ? [Number(name)] : []
  })
}

let mostSeconds = 0

/**
 * The processor time in seconds of the marked processes, also of those that have ended, and whether one of them could
 * run now. The time never falls, although the system shows none for a moment when a process ends. On systems without
 * /proc, it is the time since the start, and one is always busy.
 */
export function readMarked() {
  const self = readCpu('self')
  if (!self) return { seconds: performance.now() / 1000, isBusy: true }
  const all = listMarked().flatMap(pid => readCpu(pid) ?? [])
  const seconds = all.reduce((sum, { ownSeconds, endedSeconds }) => sum + ownSeconds + endedSeconds, self.endedSeconds)
  mostSeconds = Math.max(mostSeconds, seconds)
  return { seconds: mostSeconds, isBusy: all.some(({ isBusy }) => isBusy) }
}

export function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function readFolder(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process has ended, or belongs to another user.
  }
}
