import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'

/** Number of bytes that may wait for compression while the next chunks are made. */
const WAITING_BYTES = 8 * 2 ** 20

/** Size of the compressed chunks. */
const PACKED_BYTES = 2 ** 18

/** Deflates chunks in another thread while the caller makes the next ones. Passes on errors from making the chunks. */
export async function deflateChunks(chunks: AsyncIterable<Uint8Array>, strategy: number): Promise<Uint8Array> {
  const packed: Uint8Array[] = []
  // Node passes `highWaterMark` to the stream, but the types don't have it.
  const options: ZlibOptions & { highWaterMark: number } = {
    strategy,
    highWaterMark: WAITING_BYTES,
    chunkSize: PACKED_BYTES,
  }
  await pipeline(chunks, createDeflate(options), async (source: AsyncIterable<Uint8Array>) => {
    for await (const part of source) packed.push(part)
  })
  return Buffer.concat(packed)
}
