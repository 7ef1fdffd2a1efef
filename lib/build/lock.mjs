import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeOwner, isAlive } from './lock-owner.mjs'

const LOOK_AGAIN_MS = 200
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs `work` while no other process of this checkout does. The lock is a folder that contains its owner's PID and
 * start time. Renaming a folder into place is atomic and fails if the target isn't empty. So a lock is never
 * incomplete, and the lock of a killed process is recognized and removed.
 */
export async function withLock(path, tell, work) {
  for (let hasReported = false; !tryTake(path); await sleep(LOOK_AGAIN_MS)) {
    const owner = readOwner(path)
    if (!owner) continue
    if (!isAlive(owner)) clear(path, owner)
    else if (!hasReported) {
      tell(`waiting for process ${owner.pid}, which is installing or building here`)
      hasReported = true
    }
  }
  const release = () => rmSync(path, { recursive: true, force: true })
  // The default handler would skip the `exit` event, which releases the lock and ends child processes.
  const exit = () => process.exit(1)
  process.once('exit', release)
  for (const signal of SIGNALS) process.on(signal, exit)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, exit)
    process.off('exit', release)
    release()
  }
}

function tryTake(path) {
  const ownLock = `${path}.${process.pid}`
  mkdirSync(ownLock, { recursive: true })
  writeFileSync(join(ownLock, 'owner.json'), JSON.stringify(describeOwner()))
  try {
    renameSync(ownLock, path)
    return true
  } catch (error) {
    rmSync(ownLock, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return false
    throw error
  }
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'))
  } catch {
    return undefined // The lock was released in the meantime.
  }
}

/**
 * Removes the lock of a dead owner. The lock is moved aside first, so that a lock taken in the meantime is noticed and
 * returned.
 */
function clear(path, dead) {
  const movedPath = `${path}.dead.${process.pid}`
  try {
    renameSync(path, movedPath)
    const movedOwner = readOwner(movedPath)
    if (movedOwner?.pid !== dead.pid || movedOwner.born !== dead.born) renameSync(movedPath, path)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error // Another process cleared the lock.
  }
  rmSync(movedPath, { recursive: true, force: true })
}
