import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isFolderLocked, takeLock } from '../../db/lock-file'

/** A folder of this process for large outputs. */
export interface SpoolFolder {
  path: string
  /** Removes the folder and all files in it. */
  remove(): void
}

const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const LOCK_END = '.lock'
/** By then, a lock without a heartbeat counts as left behind, even if its process ran in another container. */
const SECOND_LOOK_MS = 15_000

/**
 * Creates a folder for large outputs below the data folder, and removes those of processes that have ended. Several
 * processes can share a data folder, so each has its own folder with a lock. Throws an Error if the data folder can't be
 * written.
 */
export async function createSpoolFolder(dataDir: string): Promise<SpoolFolder> {
  const parent = join(dataDir, 'spool')
  const path = join(parent, randomUUID())
  makePrivate(parent)
  const lock = await takeLock(path + LOCK_END, 'service')
  makePrivate(path)
  await removeAbandoned(parent)
  const secondLook = setTimeout(() => void removeAbandoned(parent).catch(() => {}), SECOND_LOOK_MS) // The next start tries again.
  secondLook.unref()
  return {
    path,
    remove() {
      clearTimeout(secondLook)
      rmSync(path, { recursive: true, force: true })
      lock.release()
    },
  }
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700) // The mode of an existing folder, and a restrictive umask, would remain otherwise.
  } catch (cause) {
    throw new Error(`${folder} can't be written. Large responses need it. Set DATA_DIR to a writable folder.`, {
      cause,
    })
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const entries = readdirSync(parent).map(entry =>
    entry.endsWith(LOCK_END) ? entry.slice(0, -LOCK_END.length) : entry,
  )
  for (const name of new Set(entries.filter(entry => NAME.test(entry)))) await removeUnlessUsed(join(parent, name))
}

async function removeUnlessUsed(path: string): Promise<void> {
  try {
    const lock = await takeLock(path + LOCK_END, 'service')
    rmSync(path, { recursive: true, force: true })
    lock.release()
  } catch (error) {
    if (!isFolderLocked(error)) throw error
  }
}
