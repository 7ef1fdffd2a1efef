import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeOwner, isAlive } from './owner.mjs'

const LOOK_AGAIN_MS = 200
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a piece of work while no other process of this checkout does. The lock is a folder that holds its owner's pid
 * and birth: renaming a folder into place is atomic and fails on one that is not empty, so a lock is never seen
 * half made, and one left by a killed process is known and taken away.
 */
export async function withLock(path, tell, work) {
  for (let told = false; !take(path); await sleep(LOOK_AGAIN_MS)) {
    const owner = readOwner(path)
    if (!owner) continue
    if (!isAlive(owner)) clear(path, owner)
    else if (!told) {
      tell(`process ${owner.pid} is installing or building here; waiting for it`)
      told = true
    }
  }
  const release = () => rmSync(path, { recursive: true, force: true })
  // The default would end us without `exit`, and with it the lock and what we started.
  const leave = () => process.exit(1)
  process.once('exit', release)
  for (const signal of SIGNALS) process.on(signal, leave)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave)
    process.off('exit', release)
    release()
  }
}

function take(path) {
  const own = `${path}.${process.pid}`
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'owner.json'), JSON.stringify(describeOwner()))
  try {
    renameSync(own, path)
    return true
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return false
    throw error
  }
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'))
  } catch {
    return undefined // released in between
  }
}

/** Takes a dead owner's lock away; moved aside first, so that a lock taken anew meanwhile is seen and given back. */
function clear(path, dead) {
  const aside = `${path}.dead.${process.pid}`
  try {
    renameSync(path, aside)
    const moved = readOwner(aside)
    if (moved?.pid !== dead.pid || moved.born !== dead.born) renameSync(aside, path)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error // another one cleared it
  }
  rmSync(aside, { recursive: true, force: true })
}
