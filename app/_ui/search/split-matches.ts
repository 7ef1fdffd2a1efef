/** A piece of a text, which a search matched or not. */
export interface Piece {
  text: string
  isMatch: boolean
}

/** Splits a text before and after each term. A term begins a word, or a part of a name such as `fontSize`. */
export function splitMatches(text: string, terms: string[]): Piece[] {
  const lower = text.toLowerCase()
  // Some letters change their length, so that positions would differ.
  if (lower.length !== text.length || terms.length === 0) return [{ text, isMatch: false }]
  const longestFirst = terms.toSorted((a, b) => b.length - a.length)
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: term, index } of lower.matchAll(new RegExp(longestFirst.map(escape).join('|'), 'gu'))) {
    if (!isStart(text, index)) continue
    if (index > from) pieces.push({ text: text.slice(from, index), isMatch: false })
    pieces.push({ text: text.slice(index, index + term.length), isMatch: true })
    from = index + term.length
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isMatch: false }] : pieces
}

function isStart(text: string, index: number): boolean {
  const [before = '', first = ''] = [text.slice(0, index).at(-1), text[index]]
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(first))
}

function escape(term: string): string {
  return term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
