import { deflateSync } from 'node:zlib'
import { deflateTightly, MOST_TIGHT_BYTES } from './deflate-tightly'

/** Number of bytes of one document that are deflated tightly. Takes about 0.1 seconds of processor time. */
const BUDGET_BYTES = 200_000

/** Size from which data is deflated at a medium level, because the best one takes several times as long. */
const LARGE_BYTES = 8_000_000

/**
 * Deflates the data of one document as small as possible in bounded time: tightly until the budget is used up, and then
 * with zlib.
 */
export class DeflateBudget {
  private left = BUDGET_BYTES

  /** Returns zlib data. Up to 8 MB of input, it is never larger than what zlib writes at level 9. */
  deflate(data: Uint8Array): Uint8Array {
    if (data.length > MOST_TIGHT_BYTES || data.length > this.left)
      return deflateSync(data, { level: data.length > LARGE_BYTES ? 6 : 9 })
    this.left -= data.length
    return deflateTightly(data)
  }
}
