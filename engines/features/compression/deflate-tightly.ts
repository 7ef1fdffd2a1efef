import type { EventEmitter } from 'node:events'
import { deflateSync } from 'node:zlib'
import type * as Libdeflate from 'libdeflate'
import type { Deflate } from '../../pdf/document'

/** The first level of libdeflate that compares several parses. Level 12 saves 0.1 % more and takes twice as long. */
const LEVEL = 10

/** Number of bytes of one document for libdeflate, which takes three times as long as zlib. */
const BUDGET_BYTES = 4_000_000

/** Size from which zlib's best level would take too long. */
const LARGE_BYTES = 8_000_000

let opened: Promise<typeof Libdeflate> | undefined

/**
 * Returns a function that creates the encoder of one document. The encoder makes data as small as possible until the
 * document's budget is used up. Then it uses zlib.
 */
export async function openDeflate(): Promise<() => Deflate> {
  const { zlib } = await (opened ??= load())
  return () => {
    let left = BUDGET_BYTES
    return data => {
      if (data.length > left) return deflateSync(data, { level: data.length > LARGE_BYTES ? 6 : 9 })
      left -= data.length
      return zlib(data, LEVEL)
    }
  }
}

/** Loads libdeflate without its listeners, which would end the process after stray errors that `serve-jobs.ts` reports. */
async function load(): Promise<typeof Libdeflate> {
  const library = await import('libdeflate')
  const emitter: EventEmitter = process
  const known = STRAY_ERRORS.map(event => emitter.listeners(event))
  library.zlib(new Uint8Array(), LEVEL)
  for (const [index, event] of STRAY_ERRORS.entries())
    for (const listener of emitter.listeners(event) as ((error: unknown) => void)[])
      if (!known[index]?.includes(listener)) emitter.off(event, listener)
  return library
}

/** The events for which the loader adds listeners when the library compiles, at its first use. */
const STRAY_ERRORS = ['uncaughtException', 'unhandledRejection']
