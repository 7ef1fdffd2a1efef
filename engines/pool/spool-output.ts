import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EngineError } from '../errors'
import { writeChunks } from './blocking-pipe'

/** Free bytes that outputs leave on the disk, because the database may be on the same one. */
const SPARE_BYTES = 64 * 2 ** 20

/**
 * Writes an output to a new file that only this user can read. Throws EngineError `busy` if the disk has no room or
 * doesn't work. Then the file doesn't remain.
 */
export function spoolOutput(path: string, chunks: readonly Uint8Array[], byteLength: number): void {
  try {
    assertRoom(path, byteLength)
    writeFile(path, chunks)
  } catch (cause) {
    rmSync(path, { force: true })
    const message = 'The server has no disk space left for this response. Retry after 5 seconds.'
    throw new EngineError('busy', message, { cause })
  }
}

function assertRoom(path: string, byteLength: number): void {
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize < byteLength + SPARE_BYTES) throw new Error('The disk has too little space for a spool file')
}

function writeFile(path: string, chunks: readonly Uint8Array[]): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeChunks(fd, chunks)
  } finally {
    closeSync(fd)
  }
}
