import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PIECE = Buffer.alloc(4096)

/** Puts a file system of so many MiB, held in memory, over an empty folder; false where this user may not. */
export function mountSmall(folder: string, mib: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', folder]).status === 0
}

/** Takes the file system away, and the folder that it was put over. */
export function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
}

/** Writes until nothing more fits; gives the file that takes the room. */
export function fill(folder: string): string {
  const path = join(folder, 'room')
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, PIECE)
  } catch {
    return path // that was the last piece that fitted
  } finally {
    closeSync(file)
  }
}
