import { decodePercent } from '../search-rules/encoded-text'

/** Returns whether a text has percent-encoded characters, or a plus sign, which stands for a space in queries of URLs. */
export function hasEscapes(text: string): boolean {
  return text.includes('+') || /%[0-9a-f]{2}/i.test(text)
}

/** Reads the escapes at a position. Returns their text and their end, or undefined if there are none. */
export function readEscapes(source: string, at: number): { text: string; end: number } | undefined {
  if (source[at] === '+') return { text: ' ', end: at + 1 }
  let end = at
  while (source[end] === '%' && /^[0-9a-f]{2}$/i.test(source.slice(end + 1, end + 3))) end += 3
  return end === at ? undefined : { text: decodePercent(source.slice(at, end)), end }
}
