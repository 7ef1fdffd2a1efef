import type { SymbolCounts } from './parse'

/** Number of neighbors with similar counts that make a run worth it. */
const LEAST_RUN = 4

/**
 * Makes similar counts of neighboring symbols equal. Their codes then have equal lengths, which take less space to
 * describe. A greater `tolerance` joins less similar counts.
 */
export function smoothCounts({ literals, distances }: SymbolCounts, tolerance: number): SymbolCounts {
  return { literals: smooth(literals, tolerance), distances: smooth(distances, tolerance) }
}

function smooth(counts: Uint32Array, tolerance: number): Uint32Array {
  const smoothed = counts.slice()
  for (let start = 0; start < counts.length;) {
    let sum = counts[start] as number
    let end = start + 1
    if (sum > 0)
      for (; end < counts.length && isSimilar(counts[end] as number, sum / (end - start), tolerance); end++)
        sum += counts[end] as number
    if (end - start >= LEAST_RUN) smoothed.fill(Math.max(1, Math.round(sum / (end - start))), start, end)
    start = end
  }
  return smoothed
}

/** Returns whether codes for both counts differ by less than about a bit. Unused symbols stay unused. */
function isSimilar(count: number, average: number, tolerance: number): boolean {
  return count > 0 && Math.abs(Math.log2(count / average)) < tolerance * 0.4
}
