import { readSync, writevSync } from 'node:fs'
import { HEAD_BYTES, FrameError, decodeHead, decodeText, encodeFrame, type FrameHead, type FrameKind } from './frames'

/** The descriptor of an engine process on which jobs come in. */
export const JOBS_FD = 3
/** The descriptor of an engine process on which frames go out. */
export const RESPONSES_FD = 4

/**
 * Waits for the next frame and gives its head and message; its raw bytes are still unread.
 * Undefined when the other side has closed the pipe.
 */
export function readFrameFront(fd: number): (FrameHead & { message: unknown }) | undefined {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES)
  if (!fill(fd, bytes)) return undefined
  const head = decodeHead(bytes)
  return { ...head, message: decodeText(readBytes(fd, head.textBytes)) }
}

/** Reads exactly that many bytes into memory of their own. Throws WireError when the pipe ends before. */
export function readBytes(fd: number, byteLength: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(byteLength) // of its own: the pool behind allocUnsafe would outlive the job
  if (!fill(fd, bytes)) throw new FrameError('the pipe ended within a frame')
  return bytes
}

interface OutgoingFrame {
  kind: FrameKind
  message?: unknown
  /** The raw bytes that follow. */
  chunks?: Uint8Array[]
}

/** Writes frames, together if the pipe takes them so, and waits until it has taken all. */
export function writeFrames(fd: number, ...frames: OutgoingFrame[]): void {
  const pieces: Uint8Array[] = []
  for (const { kind, message, chunks = [] } of frames) {
    pieces.push(encodeFrame(kind, message, countBytes(chunks)))
    for (const chunk of chunks) pieces.push(chunk) // there may be more than a call takes arguments
  }
  writeAll(fd, pieces)
}

/** Bytes of all chunks together. */
export function countBytes(chunks: Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
}

function fill(fd: number, bytes: Buffer): boolean {
  let filled = 0
  while (filled < bytes.length) {
    const count = whenPossible(() => readSync(fd, bytes, filled, bytes.length - filled, null))
    if (count === 0) return false
    filled += count
  }
  return true
}

function writeAll(fd: number, chunks: Uint8Array[]): void {
  for (let from = 0; from < chunks.length; from += MAX_VECTORS) {
    let rest = chunks.slice(from, from + MAX_VECTORS).filter(chunk => chunk.byteLength > 0)
    while (rest.length > 0) {
      const batch = rest
      rest = skipBytes(
        batch,
        whenPossible(() => writevSync(fd, batch)),
      )
    }
  }
}

function skipBytes(chunks: Uint8Array[], byteLength: number): Uint8Array[] {
  let left = byteLength
  const index = chunks.findIndex(chunk => {
    if (left < chunk.byteLength) return true
    left -= chunk.byteLength
    return false
  })
  if (index < 0) return []
  const [first, ...others] = chunks.slice(index)
  return first === undefined ? [] : [first.subarray(left), ...others]
}

/**
 * The process's end of the pipes is blocking; should a library have changed that, this waits a millisecond and asks
 * again.
 */
function whenPossible(operation: () => number): number {
  for (;;) {
    try {
      return operation()
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EAGAIN') throw cause
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }
}

const MAX_VECTORS = 1024 // IOV_MAX of Linux and macOS
const sleeper = new Int32Array(new SharedArrayBuffer(4))
