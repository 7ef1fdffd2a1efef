import { constants, deflateSync } from 'node:zlib'

/** Returns data as zlib data (RFC 1950). */
export type Deflate = (data: Uint8Array) => Uint8Array

/**
 * Deflates like `deflateSync`, with the same result. For short data, zlib's default output buffer of 16 KB would stay
 * in memory with each result and takes longer to allocate.
 */
export function deflate(data: Uint8Array): Uint8Array {
  return deflateSync(data, { chunkSize: Math.min(data.length + MOST_OVERHEAD, constants.Z_DEFAULT_CHUNK) })
}

/** At least as many bytes as zlib adds to data below 16 KB that can't be compressed. */
const MOST_OVERHEAD = 64
