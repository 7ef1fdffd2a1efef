import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'

/** Bytes that may wait to be deflated while the pieces behind them are made. */
const WAITING_BYTES = 8 * 2 ** 20

/** Deflated bytes that are taken at once. */
const PACKED_BYTES = 2 ** 18

/** Deflates pieces in another thread, while they are made. Throws what making them throws. */
export async function deflateChunks(pieces: AsyncIterable<Uint8Array>, strategy: number): Promise<Uint8Array> {
  const packed: Uint8Array[] = []
  // Node hands these to the stream too, which its types leave out.
  const options: ZlibOptions & { highWaterMark: number } = {
    strategy,
    highWaterMark: WAITING_BYTES,
    chunkSize: PACKED_BYTES,
  }
  await pipeline(pieces, createDeflate(options), async (source: AsyncIterable<Uint8Array>) => {
    for await (const part of source) packed.push(part)
  })
  return Buffer.concat(packed)
}
