import type { Socket } from 'node:net'

/**
 * Number of bytes to read before other events are handled. The system delivers up to 2 MB at once otherwise. A small
 * response fits into this limit.
 */
const MAX_CONSECUTIVE_BYTES = 128 * 1024

/** Reads a stream to its end. Other events of the process are handled after each `MAX_CONSECUTIVE_BYTES`. */
export function readInterleaved(stream: Socket, onChunk: (chunk: Buffer) => void): void {
  let consecutiveBytes = 0
  stream.on('data', (chunk: Buffer) => {
    onChunk(chunk)
    consecutiveBytes += chunk.length
    if (consecutiveBytes < MAX_CONSECUTIVE_BYTES) return
    consecutiveBytes = 0
    stream.pause()
    setImmediate(() => stream.resume())
  })
}
