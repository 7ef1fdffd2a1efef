/** Number of intervals on the axis at most. */
const MOST_INTERVALS = 4

/** Returns the labels of an axis from 0 to at least `most`, in steps of 1, 2 or 5 times a power of ten. */
export function chooseTicks(most: number): number[] {
  let step = 1
  for (let power = 1; Math.ceil(most / step) > MOST_INTERVALS; power *= 10) {
    step = [power, 2 * power, 5 * power].find(one => Math.ceil(most / one) <= MOST_INTERVALS) ?? 10 * power
  }
  const intervals = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: intervals + 1 }, (_, index) => index * step)
}

/** Returns "20 Nov" for "2026-11-20". */
export function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
