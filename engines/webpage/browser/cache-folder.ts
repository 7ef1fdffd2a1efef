import { accessSync, chmodSync, constants, lstatSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** User ID of the browser if the service runs as root: the user `nobody`. */
export const UNPRIVILEGED_ID = 65_534

/** Whether the service runs as root. A browser shouldn't run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Returns a folder for files that are unpacked once and reused: the configured folder, otherwise a folder in
 * `node_modules`, otherwise a folder of this service in the temporary directory. The user of the browser must be able
 * to traverse it.
 */
export function findCacheFolder(configured: string | undefined): string {
  const temporary = join(tmpdir(), `sheaf-cache-${process.getuid?.() ?? 0}`)
  const candidates = [configured, 'node_modules/.cache/sheaf', temporary].flatMap(folder =>
    folder === undefined ? [] : [resolve(folder)],
  )
  const found = candidates.find(folder => isUsable(folder, folder === temporary))
  return found ?? mkdtempSync(join(tmpdir(), 'sheaf-cache-'))
}

/** In the temporary directory, another user may already own a folder with this name. */
function isUsable(folder: string, isShared: boolean): boolean {
  try {
    const created = mkdirSync(folder, { recursive: true })
    if (created !== undefined) chmodSync(folder, 0o755)
    accessSync(folder, constants.W_OK)
    const { uid, mode } = lstatSync(folder)
    if (isShared && (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0)) return false
    return !isRoot() || isPassable(folder)
  } catch {
    return false // The caller tries the next folder.
  }
}

/** Returns whether every user can traverse a folder and all folders above it. */
function isPassable(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false
    if (current === dirname(current)) return true
  }
}
