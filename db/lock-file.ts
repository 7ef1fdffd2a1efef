import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { findProcess, readPidSpace } from './process-identity'

/** The process that has a folder open: the service, or a short command. */
export type LockPurpose = 'service' | 'command'

export interface FolderLock {
  release(): void
}

/** Thrown when another live process has the folder open. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError'
}

/** Returns whether a value is a FolderLockedError, including one from another bundle's copy of this module. */
export function isFolderLocked(value: unknown): value is FolderLockedError {
  return value instanceof Error && value.name === 'FolderLockedError'
}

const BEAT_MS = 2_000
const SILENCE_MS = 10_000
const RETRY_MS = 50
const COMMAND_PATIENCE_MS = 20_000

/**
 * Takes a lock file for this process. The lock of a dead process is replaced. If a command holds the lock, this
 * function waits up to 20 s. If a live service holds it, throws FolderLockedError.
 */
export async function takeLock(path: string, purpose: LockPurpose): Promise<FolderLock> {
  const ownLock = writeOwnLock(path, purpose)
  try {
    const deadline = Date.now() + COMMAND_PATIENCE_MS
    for (;;) {
      const holder = tryLock(path, ownLock.file)
      if (holder === undefined) break
      if (holder.purpose === 'service' || Date.now() > deadline) throw lockedError(path, holder)
      await wait(RETRY_MS)
    }
  } finally {
    rmSync(ownLock.file, { force: true })
  }
  const heartbeat = setInterval(() => touchLock(path), BEAT_MS)
  heartbeat.unref()
  const release = () => {
    clearInterval(heartbeat)
    process.off('exit', release)
    if (readHolder(path)?.token === ownLock.token) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return { release }
}

interface Holder {
  token: string
  pid: number
  startedAt: string
  pidSpace: string
  purpose: LockPurpose
}

function writeOwnLock(path: string, purpose: LockPurpose): { file: string; token: string } {
  const self = findProcess(process.pid)
  const token = randomUUID()
  const holder: Holder = {
    token,
    pid: process.pid,
    startedAt: self?.startedAt ?? '',
    pidSpace: readPidSpace(),
    purpose,
  }
  const file = `${path}.${token}`
  writeFileSync(file, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  return { file, token }
}

/**
 * Tries once to take the lock. Returns undefined on success, otherwise the live holder. A dead holder's lock is only
 * replaced while holding a second lock. Otherwise two processes could each replace the other's fresh lock.
 */
function tryLock(path: string, ownFile: string): Holder | undefined {
  if (tryLink(ownFile, path)) return undefined
  const holder = readHolder(path)
  if (holder !== undefined && isLive(holder, path)) return holder
  if (!exists(path)) return tryLock(path, ownFile)

  const takeover = `${path}.takeover`
  const rival = path.endsWith('.takeover.takeover') ? undefined : tryLock(takeover, ownFile)
  if (rival !== undefined) return { ...rival, purpose: 'command' } // The rival only holds the second lock for a moment.
  try {
    const current = readHolder(path)
    if (current !== undefined && isLive(current, path)) return current
    const replacement = `${ownFile}.new`
    copyFileSync(ownFile, replacement)
    renameSync(replacement, path)
    return undefined
  } finally {
    rmSync(takeover, { force: true })
  }
}

function tryLink(file: string, path: string): boolean {
  try {
    linkSync(file, path) // Linking is atomic, and the lock has its content from the start.
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!NO_LINKS.has(codeOf(error))) throw error
  }
  try {
    copyFileSync(file, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isHolder(holder) ? holder : undefined
  } catch {
    return undefined // The file was removed, or this service didn't write it, so no process holds the lock.
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'pid' in value && 'startedAt' in value && 'token' in value
}

/** Processes of another container can't be looked up. For them, the file's modification time decides. */
function isLive(holder: Holder, path: string): boolean {
  if (holder.pidSpace !== readPidSpace()) return Date.now() - lastTouchMs(path) < SILENCE_MS
  return findProcess(holder.pid)?.startedAt === holder.startedAt
}

function lastTouchMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function touchLock(path: string) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // If the folder was removed, the database reports that itself.
  }
}

function lockedError(path: string, holder: Holder): FolderLockedError {
  const folder = path.replace(/\.lock$/, '')
  return new FolderLockedError(
    `${folder} is in use by process ${holder.pid}. Only one process can open this folder. Stop the other process, ` +
      'set another DATA_DIR, or set DATABASE_URL to share a Postgres server.',
  )
}
