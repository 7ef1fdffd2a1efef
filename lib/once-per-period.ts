/** Limits each name to once per period. */
export interface OncePerPeriod {
  /** Returns whether the name wasn't due within the period. If so, the name counts as due now. */
  isDue(name: string): boolean
}

/** Maximum number of stored names. The oldest are dropped first, and are due again early. */
const MOST_NAMES = 10_000

/** Creates a limit of once per period, in milliseconds, for each name. */
export function createOncePerPeriod(periodMs: number, nowMs: () => number = () => performance.now()): OncePerPeriod {
  /** The time when each name was last due, latest at the end. */
  const times = new Map<string, number>()
  const forget = (now: number) => {
    for (const [name, atMs] of times) {
      if (now - atMs < periodMs && times.size <= MOST_NAMES) return
      times.delete(name)
    }
  }
  return {
    isDue(name) {
      const now = nowMs()
      forget(now)
      if (times.has(name)) return false
      times.set(name, now)
      return true
    },
  }
}
