/** Returns a size such as "12.4 MB", in units of 1000. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  const [amount, unit] = count < 1e6 ? [count / 1e3, 'KB'] : count < 1e9 ? [count / 1e6, 'MB'] : [count / 1e9, 'GB']
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`
}

/** "143 ms" or "2.4 s" */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
}

/** "1,204" */
export function count(number: number): string {
  return number.toLocaleString('en')
}

/** "once" or "14 times" */
export function times(number: number): string {
  return number === 1 ? 'once' : `${count(number)} times`
}
