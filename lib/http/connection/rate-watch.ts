/** Limits of a transfer. */
interface RateRules {
  /** Minimum bytes per second, averaged over any window. */
  minRate: number
  /** Time at the start that no window covers. */
  graceMs: number
  /** A transfer without a byte for this long is too slow in any case. */
  stallMs?: number
  /** Maximum duration of a transfer. */
  maxMs?: number
  /** Returns the total of transferred bytes, once a second. Used if nobody calls `note`. */
  count?: () => number
  /** Returns whether there is nothing to transfer. That second doesn't count. */
  isIdle?: () => boolean
}

/** Why a transfer was ended. */
type SlowReason = 'stalled' | 'too slow' | 'too long'

/** Measures how fast bytes are transferred. */
export interface RateWatch {
  /** Sets the total of transferred bytes. */
  record(bytes: number): void
  /** Stops the clock until `resume`. */
  pause(): void
  resume(): void
  stop(): void
}

/** Length of the window for which a rate is measured. */
const WINDOW_MS = 20_000
const TICK_MS = 1000

/**
 * Calls `onSlow` once if a transfer breaks its limits. The rate is measured over every window of 20 s, so a fast start
 * doesn't make up for a slow rest.
 */
export function watchRate(rules: RateRules, onSlow: (reason: SlowReason) => void): RateWatch {
  const { minRate, graceMs, stallMs = Infinity, maxMs = Infinity, count, isIdle = () => false } = rules
  const samples: { atMs: number; bytes: number }[] = []
  let bytes = 0
  let lastByteMs = 0
  /** Time without pauses. */
  let activeMs = 0
  let isPaused = false
  let lastAdvanceMs = performance.now()

  const advance = () => {
    const now = performance.now()
    if (!isPaused && !isIdle()) activeMs += now - lastAdvanceMs
    lastAdvanceMs = now
  }
  const findSlowReason = (): SlowReason | undefined => {
    if (activeMs - lastByteMs >= stallMs) return 'stalled'
    if (activeMs >= maxMs) return 'too long'
    while (samples[1] && samples[1].atMs <= activeMs - WINDOW_MS) samples.shift()
    const [first] = samples
    const isWhole = first !== undefined && first.atMs <= activeMs - WINDOW_MS
    const requiredBytes = ((activeMs - (first?.atMs ?? 0)) / 1000) * minRate
    return isWhole && bytes - first.bytes < requiredBytes ? 'too slow' : undefined
  }
  const tick = () => {
    advance()
    if (count) bytes = count()
    const reason = findSlowReason()
    if (activeMs >= graceMs && !isPaused) samples.push({ atMs: activeMs, bytes })
    if (reason === undefined) return
    clearInterval(timer)
    onSlow(reason)
  }
  const timer = setInterval(tick, Math.min(TICK_MS, stallMs / 4)).unref()
  return {
    record(total) {
      advance()
      bytes = total
      lastByteMs = activeMs
    },
    pause() {
      advance()
      isPaused = true
    },
    resume() {
      advance()
      isPaused = false
    },
    stop: () => clearInterval(timer),
  }
}
