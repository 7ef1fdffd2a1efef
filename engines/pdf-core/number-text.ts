/** A number as PDF writes it: no exponent, which PDF does not know, and at most six decimals. */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) < 5e-7) return '0'
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const text = String(value)
  const isShort = !text.includes('e') && text.length - text.indexOf('.') <= 7
  return isShort ? text : value.toFixed(6).replace(/\.?0+$/, '')
}

/** Numbers as operands of a content stream, with blanks between. */
export function writeNumbers(numbers: readonly number[]): string {
  return numbers.map(writeNumber).join(' ')
}
