import { availableParallelism, loadavg } from 'node:os'

const MOST = 5

/**
 * How many times longer than an idle one this machine may take at the moment, from 1 to 5: others may use it as well,
 * and a limit in time is about the service.
 */
export function patience(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(MOST, Math.max(1, lastMinute / availableParallelism()))
}

/** The value below which a share of the numbers lies, from 0 to 1; NaN without numbers. */
export function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The mean; NaN without numbers. */
export function mean(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
