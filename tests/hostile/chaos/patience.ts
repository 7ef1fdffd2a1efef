import { availableParallelism, loadavg } from 'node:os'

const MOST = 5

/**
 * The current slowdown of this machine compared with an idle one, from 1 to 5. Other programs may use the machine, and
 * a time limit must only measure the service.
 */
export function patience(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(MOST, Math.max(1, lastMinute / availableParallelism()))
}

/** Whether an elapsed time meets its limit. A short run doesn't judge times, because other programs use its machine. */
export function isInTime({ isQuick }: { isQuick: boolean }, elapsedMs: number, mostMs: number): boolean {
  return isQuick || elapsedMs <= mostMs * patience()
}

/** A percentile of the numbers, for a share from 0 to 1. NaN without numbers. */
export function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The mean. NaN without numbers. */
export function mean(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
