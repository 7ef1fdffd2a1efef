import { readSync, writevSync } from 'node:fs'
import { HEAD_BYTES, FrameError, decodeHead, decodeText, encodeFrame, type FrameHead, type FrameKind } from './frames'

/** File descriptor on which an engine process receives jobs. */
export const JOBS_FD = 3
/** File descriptor on which an engine process sends frames. */
export const RESPONSES_FD = 4

/**
 * Waits for the next frame and returns its head and message. The raw bytes remain unread. Undefined if the other side
 * has closed the pipe.
 */
export function readFrameFront(fd: number): (FrameHead & { message: unknown }) | undefined {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES)
  if (!readInto(fd, bytes)) return undefined
  const head = decodeHead(bytes)
  return { ...head, message: decodeText(readBytes(fd, head.textBytes)) }
}

/** Reads exactly `byteLength` bytes into separate memory. Throws FrameError if the pipe ends early. */
export function readBytes(fd: number, byteLength: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(byteLength) // Memory from the pool behind allocUnsafe would be retained after the job.
  if (!readInto(fd, bytes)) throw new FrameError('the pipe ended within a frame')
  return bytes
}

interface OutgoingFrame {
  kind: FrameKind
  message?: unknown
  /** The raw bytes after the message. */
  chunks?: Uint8Array[]
}

/** Writes frames, in one system call if possible, and waits until the pipe has accepted all bytes. */
export function writeFrames(fd: number, ...frames: OutgoingFrame[]): void {
  const pieces: Uint8Array[] = []
  for (const { kind, message, chunks = [] } of frames) {
    pieces.push(encodeFrame(kind, message, countBytes(chunks)))
    for (const chunk of chunks) pieces.push(chunk) // A spread could exceed the maximum number of arguments.
  }
  writeChunks(fd, pieces)
}

/** Returns the total number of bytes. */
export function countBytes(chunks: Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
}

/** Reads from a pipe until `bytes` is full. Returns `false` if the pipe ends before. */
function readInto(fd: number, bytes: Buffer): boolean {
  let filled = 0
  while (filled < bytes.length) {
    const count = whenPossible(() => readSync(fd, bytes, filled, bytes.length - filled, null))
    if (count === 0) return false
    filled += count
  }
  return true
}

/** Writes all chunks to a pipe or file and waits until the system has accepted them. */
export function writeChunks(fd: number, chunks: readonly Uint8Array[]): void {
  for (let from = 0; from < chunks.length; from += MAX_VECTORS) {
    let pending = chunks.slice(from, from + MAX_VECTORS).filter(chunk => chunk.byteLength > 0)
    while (pending.length > 0) {
      const batch = pending
      pending = skipBytes(
        batch,
        whenPossible(() => writevSync(fd, batch)),
      )
    }
  }
}

function skipBytes(chunks: Uint8Array[], byteLength: number): Uint8Array[] {
  let remaining = byteLength
  const index = chunks.findIndex(chunk => {
    if (remaining < chunk.byteLength) return true
    remaining -= chunk.byteLength
    return false
  })
  if (index < 0) return []
  const [first, ...followingChunks] = chunks.slice(index)
  return first === undefined ? [] : [first.subarray(remaining), ...followingChunks]
}

/**
 * Repeats an operation while it fails with EAGAIN, with pauses of a millisecond. The pipes of the process are blocking,
 * but a library may have changed that.
 */
function whenPossible(operation: () => number): number {
  for (;;) {
    try {
      return operation()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }
}

const MAX_VECTORS = 1024 // IOV_MAX of Linux and macOS.
const sleeper = new Int32Array(new SharedArrayBuffer(4))
