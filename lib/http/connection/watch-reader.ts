import type { Exchange } from '../../http-exchange'
import { type RateWatch, watchRate } from './rate-watch'

/** Time at the start of a response in which the client's reading rate isn't measured. */
const GRACE_MS = 5000

/**
 * Closes the connection if the client reads a response slower than `minRate` bytes per second over any 20 s. Time in
 * which no byte waits for the client doesn't count. Call this function when the response begins.
 */
export function watchReader(exchange: Exchange, minRate: number): void {
  const { res } = exchange
  let rate: RateWatch | undefined
  const begin = () => {
    rate = watchRate(
      {
        minRate,
        graceMs: 0,
        // The bytes of a write that hasn't ended are in both figures.
        count: () => (res.socket ? res.socket.bytesWritten - res.socket.writableLength : 0),
        isIdle: () => !res.socket || res.writableLength === 0,
      },
      () => {
        exchange.isCutOff = true
        res.destroy()
      },
    )
  }
  const timer = setTimeout(begin, GRACE_MS).unref()
  const stop = () => {
    clearTimeout(timer)
    rate?.stop()
  }
  res.once('finish', stop).once('close', stop)
}
