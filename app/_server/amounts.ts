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
