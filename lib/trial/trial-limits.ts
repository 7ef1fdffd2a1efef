import { RequestError } from '../errors'
import { createRequestRate } from '../http/limits/request-rate'

/** The limits of requests without an account. Nothing of them is stored, so each server counts its own. */
export interface TrialLimits {
  /**
   * Counts a request of a network. The caller ends it with the returned function. Throws RequestError (`rate_limited`) if
   * the network has used its requests or has one running, or if too many networks have one running.
   */
  enter(network: string): () => void
}

/** Requests that a network may send within an hour. */
export const TRIALS_PER_HOUR = 5

/** Requests of all networks together that may run at once. */
const TRIALS_AT_ONCE = 4

const HOUR_MS = 3_600_000

/** Creates the limits: for each network one request at a time and 5 in an hour, and 4 at a time for all networks. */
export function createTrialLimits(nowMs?: () => number): TrialLimits {
  const rate = createRequestRate({ count: TRIALS_PER_HOUR, periodMs: HOUR_MS }, nowMs)
  const running = new Set<string>()
  return {
    enter(network) {
      if (running.has(network)) throw refuse('Your network is already running a trial. Try again in 2 seconds.', 2)
      if (running.size >= TRIALS_AT_ONCE)
        throw refuse('Too many visitors are using the trial right now. Try again in 2 seconds.', 2)
      const waitS = rate.take(network)
      if (waitS > 0) {
        const minutes = Math.ceil(waitS / 60)
        throw refuse(
          `Trial limit reached: ${TRIALS_PER_HOUR} requests per hour. Try again in ${minutes} ` +
            `${minutes === 1 ? 'minute' : 'minutes'}, or create an account.`,
          waitS,
        )
      }
      running.add(network)
      return () => {
        running.delete(network)
      }
    },
  }
}

function refuse(message: string, retryAfterS: number): RequestError {
  return new RequestError('rate_limited', message, { headers: { 'Retry-After': String(retryAfterS) } })
}
