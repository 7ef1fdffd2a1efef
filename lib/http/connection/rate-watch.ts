/** What is asked of a transfer. */
interface RateRules {
  /** Bytes a second, on the average of any window. */
  minRate: number
  /** Time in the beginning that no window covers. */
  graceMs: number
  /** Without a byte for that long, the transfer is too slow in any case. */
  stallMs?: number
  /** No transfer lasts longer. */
  maxMs?: number
  /** Asked every second how many bytes were transferred in all, if nobody says so by `note`. */
  count?: () => number
}

/** Why a transfer was ended. */
type SlowReason = 'stalled' | 'too slow' | 'too long'

/** Watches how fast bytes are transferred. */
export interface RateWatch {
  /** Says how many bytes were transferred in all. */
  note(bytes: number): void
  /** Time from here on doesn't count, until `resume`. */
  pause(): void
  resume(): void
  stop(): void
}

/** Length of the window that a rate is measured over. */
const WINDOW_MS = 20_000
const TICK_MS = 1000

/**
 * Calls `onSlow` once if a transfer is slower than its rules allow. The rate is measured over every window of 20 s, so
 * that a fast beginning doesn't make up for a slow rest.
 */
export function watchRate(rules: RateRules, onSlow: (reason: SlowReason) => void): RateWatch {
  const { minRate, graceMs, stallMs = Infinity, maxMs = Infinity, count } = rules
  const samples: { atMs: number; bytes: number }[] = []
  let bytes = 0
  let lastByteMs = 0
  /** Time that counts. */
  let activeMs = 0
  let isPaused = false
  let last = performance.now()

  const advance = () => {
    const now = performance.now()
    if (!isPaused) activeMs += now - last
    last = now
  }
  const judge = (): SlowReason | undefined => {
    if (activeMs - lastByteMs >= stallMs) return 'stalled'
    if (activeMs >= maxMs) return 'too long'
    while (samples[1] && samples[1].atMs <= activeMs - WINDOW_MS) samples.shift()
    const [first] = samples
    const isWhole = first !== undefined && first.atMs <= activeMs - WINDOW_MS
    const least = ((activeMs - (first?.atMs ?? 0)) / 1000) * minRate
    return isWhole && bytes - first.bytes < least ? 'too slow' : undefined
  }
  const tick = () => {
    advance()
    if (count) bytes = count()
    const reason = judge()
    if (activeMs >= graceMs && !isPaused) samples.push({ atMs: activeMs, bytes })
    if (reason === undefined) return
    clearInterval(timer)
    onSlow(reason)
  }
  const timer = setInterval(tick, Math.min(TICK_MS, stallMs / 4)).unref()
  return {
    note(total) {
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
