/** Limits how often each account may send a request that isn't charged. */
export interface RequestRate {
  /** Counts a request. Returns 0 if it is allowed, or else the seconds until the next one is. */
  take(accountId: string): number
}

/** More accounts than a process serves in a minute. */
const MOST_ACCOUNTS = 10_000

/** Creates a limit of `count` requests in each period of `periodMs`, which starts with an account's first request. */
export function createRequestRate(
  { count, periodMs }: { count: number; periodMs: number },
  nowMs: () => number = () => performance.now(),
): RequestRate {
  const periods = new Map<string, { endsAt: number; requests: number }>()
  /** All periods have the same length, so the first ones end first. */
  const forgetEnded = (now: number) => {
    for (const [accountId, { endsAt }] of periods) {
      if (endsAt > now) return
      periods.delete(accountId)
    }
  }
  return {
    take(accountId) {
      const now = nowMs()
      forgetEnded(now)
      let period = periods.get(accountId)
      if (!period) {
        if (periods.size >= MOST_ACCOUNTS) periods.clear()
        period = { endsAt: now + periodMs, requests: 0 }
        periods.set(accountId, period)
      }
      period.requests++
      return period.requests <= count ? 0 : Math.ceil((period.endsAt - now) / 1000)
    },
  }
}
