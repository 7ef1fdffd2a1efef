/** Says of each name whether it is due again. */
export interface OncePerPeriod {
  /** Whether the name was not due within the period; it counts as due now. */
  isDue(name: string): boolean
}

/** Names that are kept at most; the oldest are forgotten first, and are due earlier for it. */
const MOST_NAMES = 10_000

/** Makes a limit of once per period, in milliseconds, for each name. */
export function createOncePerPeriod(periodMs: number, nowMs: () => number = () => performance.now()): OncePerPeriod {
  /** When each name was due last, the latest at the end. */
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
