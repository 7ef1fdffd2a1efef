import { constants, createInflate, createInflateRaw, inflateRawSync, inflateSync } from 'node:zlib'
import pako from 'pako'
import { tooLarge } from './decoded-bytes'
import { CHUNK_BYTES } from './run-length-lzw'

/**
 * Inflates zlib data. Damaged data gives what can be read before the damage; `onDamage` is told. Undefined when nothing
 * can be read. Throws EngineError `too-large` for more than `maxBytes`.
 */
export function inflate(data: Uint8Array, maxBytes: number, onDamage?: () => void): Uint8Array | undefined {
  // Z_SYNC_FLUSH: a truncated stream gives what it has instead of an error.
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(data, options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
  }
  // A wrong checksum or header, or damage in the middle: everything before the damage counts.
  onDamage?.()
  const partial = inflateUntilDamage(data, maxBytes)
  if (partial) return partial
  try {
    return inflateRawSync(data.subarray(2), options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
    return undefined // nothing can be read; the caller decides
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

function inflateUntilDamage(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  let length = 0
  for (const part of piecesUntilDamage(data)) {
    length += part.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  return length ? Buffer.concat(parts) : undefined
}

/** Compressed bytes that are looked at before what came out of them is handed on. */
const STEP_BYTES = 65_536

/**
 * The readable beginning of damaged data. By pako, because Node's zlib gives nothing of what came before the damage;
 * three times slower and only for streams that zlib refused.
 */
function* piecesUntilDamage(data: Uint8Array): Generator<Uint8Array> {
  const inflator = new pako.Inflate({ chunkSize: STEP_BYTES })
  let parts: Uint8Array[] = []
  inflator.onData = chunk => parts.push(chunk as Uint8Array) // text only with an option that is not set
  // The stream's state is public in pako, but not in its types.
  const { strm } = inflator as unknown as { strm: { output: Uint8Array | null; next_out: number } }
  let isSound = true
  for (let at = 0; at < data.length && isSound && !isEnded(inflator); at += STEP_BYTES) {
    isSound = inflator.push(data.subarray(at, at + STEP_BYTES), false)
    yield* parts
    parts = []
  }
  // What the last, unfinished piece holds already.
  if (!isSound && strm.output && strm.next_out > 0) yield strm.output.subarray(0, strm.next_out)
}

/**
 * The same as `inflate` in pieces of about a megabyte, each made when it is asked for, without a bound: stop when there
 * is enough. Nothing comes where nothing can be read.
 */
export async function* inflateChunks(data: Uint8Array): AsyncGenerator<Uint8Array> {
  let given = 0
  const inflaters = [
    { make: createInflate, source: data },
    { make: createInflateRaw, source: data.subarray(2) },
  ]
  for (const { make, source } of inflaters) {
    const stream = make({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES })
    stream.end(source)
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        given += piece.length
        yield piece
      }
      return
    } catch (error) {
      if (!isZlibError(error)) throw error
    }
    let before = given
    for (const piece of piecesUntilDamage(data)) {
      if (piece.length > before) yield piece.subarray(before)
      before = Math.max(0, before - piece.length)
      given = Math.max(given, 1)
    }
    if (given > 0) return
  }
}

/** Public in pako as well. */
function isEnded(inflator: pako.Inflate): boolean {
  return (inflator as unknown as { ended: boolean }).ended
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}
