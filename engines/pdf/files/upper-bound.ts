/** The first number above `value` in an ascending list. */
export function upperBound(sorted: Float64Array, value: number): number | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return sorted[low]
}
