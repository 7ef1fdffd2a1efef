import { constants, createInflate, createInflateRaw, inflateRawSync, inflateSync } from 'node:zlib'
import pako from 'pako'
import { tooLarge } from './decoded-bytes'
import { CHUNK_BYTES } from './run-length-lzw'

/**
 * Inflates zlib data. If the data is damaged, returns everything before the damage and calls `onDamage`. Undefined if
 * nothing can be read. Throws EngineError `too_large` if the result exceeds `maxBytes`.
 */
export function inflate(data: Uint8Array, maxBytes: number, onDamage?: () => void): Uint8Array | undefined {
  // With Z_SYNC_FLUSH, zlib returns the data of a truncated stream instead of an error.
  const options = {
    maxOutputLength: maxBytes,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: inflateChunkSize(data.length),
  }
  try {
    return inflateSync(data, options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
  }
  // The checksum or the header is wrong, or the data is damaged. Recover everything before the damage.
  onDamage?.()
  const partial = inflateUntilDamage(data, maxBytes)
  if (partial) return partial
  try {
    return inflateRawSync(data.subarray(2), options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
    return undefined // nothing can be read
  }
}

/**
 * Inflates intact zlib data. `end` is the position after the last byte that was read. Undefined if the data is damaged,
 * or if the result exceeds `maxBytes`.
 */
export function inflateIntact(data: Uint8Array, maxBytes: number): { bytes: Uint8Array; end: number } | undefined {
  try {
    const result: unknown = inflateSync(data, {
      maxOutputLength: maxBytes,
      info: true,
      chunkSize: inflateChunkSize(data.length),
    })
    // The types don't include the result that `info` adds.
    const { buffer, engine } = result as { buffer: Uint8Array; engine: { bytesWritten: number } }
    return { bytes: buffer, end: engine.bytesWritten }
  } catch {
    return undefined
  }
}

/** The size of zlib's output buffers for this much data. Many streams are far smaller than the default of 16 KB. */
function inflateChunkSize(dataBytes: number): number {
  return Math.min(Math.max(MIN_CHUNK_BYTES, dataBytes * 4), constants.Z_DEFAULT_CHUNK)
}

const MIN_CHUNK_BYTES = 512

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Size up to which inflated parts are kept until they are joined. Larger data is inflated twice, to save memory. */
const MOST_PARTS = 16_000_000

function inflateUntilDamage(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  let parts: Uint8Array[] = []
  let length = 0
  for (const part of chunksUntilDamage(data)) {
    length += part.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    if (length <= MOST_PARTS) parts.push(part)
    else parts = []
  }
  if (length <= MOST_PARTS) return length ? Buffer.concat(parts) : undefined
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of chunksUntilDamage(data)) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Number of compressed bytes to inflate before yielding the result. */
const STEP_BYTES = 65_536

/**
 * Yields the readable start of damaged data. Uses pako, because Node's zlib returns nothing if there is damage. pako is
 * three times slower, so use it only for streams that zlib rejects.
 */
function* chunksUntilDamage(data: Uint8Array): Generator<Uint8Array> {
  const inflator = new pako.Inflate({ chunkSize: STEP_BYTES })
  let parts: Uint8Array[] = []
  inflator.onData = chunk => parts.push(chunk as Uint8Array) // a string only with an option that isn't set
  // The state of the stream is public in pako, but its types don't have it.
  const { strm } = inflator as unknown as { strm: { output: Uint8Array | null; next_out: number } }
  let isSound = true
  for (let at = 0; at < data.length && isSound && !isEnded(inflator); at += STEP_BYTES) {
    isSound = inflator.push(data.subarray(at, at + STEP_BYTES), false)
    yield* parts
    parts = []
  }
  // The last chunk isn't full yet, so pako hasn't passed it to `onData`.
  if (!isSound && strm.output && strm.next_out > 0) yield strm.output.subarray(0, strm.next_out)
}

/**
 * Inflates like `inflate`, but yields chunks of about a megabyte on demand. The total size has no limit. Stop reading
 * when you have enough. Yields nothing if nothing can be read.
 */
export async function* inflateChunks(data: Uint8Array): AsyncGenerator<Uint8Array> {
  let yieldedBytes = 0
  const inflaters = [
    { make: createInflate, source: data },
    { make: createInflateRaw, source: data.subarray(2) },
  ]
  for (const { make, source } of inflaters) {
    const stream = make({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES })
    stream.end(source)
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        yieldedBytes += chunk.length
        yield chunk
      }
      return
    } catch (error) {
      if (!isZlibError(error)) throw error
    }
    let bytesToSkip = yieldedBytes
    for (const chunk of chunksUntilDamage(data)) {
      if (chunk.length > bytesToSkip) yield chunk.subarray(bytesToSkip)
      bytesToSkip = Math.max(0, bytesToSkip - chunk.length)
      yieldedBytes = Math.max(yieldedBytes, 1)
    }
    if (yieldedBytes > 0) return
  }
}

/** `ended` is public in pako, but its types don't have it. */
function isEnded(inflator: pako.Inflate): boolean {
  return (inflator as unknown as { ended: boolean }).ended
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}
