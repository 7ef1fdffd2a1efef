import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PIECE = Buffer.alloc(4096)

/** Mounts an in-memory file system of this many MiB on an empty folder. Returns false without permission. */
export function mountSmall(folder: string, mib: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', folder]).status === 0
}

/** Unmounts the file system, and removes its folder. */
export function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
}

/** Writes until the disk is full. Returns the file that fills it. */
export function fill(folder: string): string {
  const path = join(folder, 'room')
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, PIECE)
  } catch {
    return path // That was the last chunk that fitted.
  } finally {
    closeSync(file)
  }
}
