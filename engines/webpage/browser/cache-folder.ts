import { accessSync, chmodSync, constants, lstatSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The user that a browser runs as when the service is root: nobody. */
export const UNPRIVILEGED_ID = 65_534

/** Whether the service runs as root, under which no browser should. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * A folder for what is unpacked once and kept: the one asked for, else one inside of `node_modules`, else one of our
 * own among the temporary files. The user that the browser runs as can pass through it.
 */
export function findCacheFolder(wanted: string | undefined): string {
  const own = join(tmpdir(), `sheaf-cache-${process.getuid?.() ?? 0}`)
  const candidates = [wanted, 'node_modules/.cache/sheaf', own].flatMap(folder =>
    folder === undefined ? [] : [resolve(folder)],
  )
  const found = candidates.find(folder => isUsable(folder, folder === own))
  return found ?? mkdtempSync(join(tmpdir(), 'sheaf-cache-'))
}

/** A name among the temporary files may have been taken by somebody else before us. */
function isUsable(folder: string, isShared: boolean): boolean {
  try {
    const made = mkdirSync(folder, { recursive: true })
    if (made !== undefined) chmodSync(folder, 0o755)
    accessSync(folder, constants.W_OK)
    const { uid, mode } = lstatSync(folder)
    if (isShared && (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0)) return false
    return !isRoot() || isPassable(folder)
  } catch {
    return false // the next one is tried
  }
}

/** Whether everybody can pass through a folder and all that it lies in. */
function isPassable(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false
    if (current === dirname(current)) return true
  }
}
