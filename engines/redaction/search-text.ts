/** A text as it is searched, and where each of its UTF-16 units comes from. */
export interface SearchText {
  text: string
  /** The same in lower case, of the same length. */
  lowered: string
  /** The position in the source of what each unit stands for. */
  sources: Int32Array
}

/** A part of a source: from the first position to the last one, both in it. */
export interface Span {
  first: number
  last: number
}

/** Characters that are not seen and do not part words: joiners, marks of direction, soft hyphens. */
const UNSEEN = /^\p{Cf}+$/u

/**
 * Puts characters together for searching: ligatures and other compatibility forms taken apart, what is not seen left out,
 * and every run of spaces and line ends one space.
 */
export function composeText(characters: readonly string[]): SearchText {
  const parts: string[] = []
  const lowered: string[] = []
  const sources: number[] = []
  let isSpaced = true
  for (const [position, character] of characters.entries()) {
    if (character === '' || UNSEEN.test(character)) continue
    if (character.trim() === '' || /^\p{Cc}+$/u.test(character)) {
      if (!isSpaced) {
        parts.push(' ')
        lowered.push(' ')
        sources.push(position)
      }
      isSpaced = true
      continue
    }
    const plain = character.normalize('NFKC')
    const lower = plain.toLowerCase()
    parts.push(plain)
    lowered.push(lower.length === plain.length ? lower : plain)
    for (let unit = 0; unit < plain.length; unit++) sources.push(position)
    isSpaced = false
  }
  return { text: parts.join(''), lowered: lowered.join(''), sources: Int32Array.from(sources) }
}

/** Where a match, from `start` up to `end`, comes from. */
export function spanOf({ sources }: SearchText, { start, end }: { start: number; end: number }): Span {
  return { first: sources[start] ?? 0, last: sources[end - 1] ?? 0 }
}

/** Letters one by one from which on they are a word that is spaced out. */
const LEAST_SPREAD = 4

/**
 * The same for a text in which words are spaced out, letter by letter, with those put together; undefined without any.
 * `isJoined` tells of a match whether spaces were left out of it.
 */
export function composeSpread(characters: readonly string[]): (SearchText & { isJoined(span: Span): boolean }) | undefined {
  const left = new Set<number>()
  let [run, lastLetter, open]: [number, number, number[]] = [0, 0, []]
  const close = (): void => {
    if (run >= LEAST_SPREAD) for (const position of open) if (position < lastLetter) left.add(position)
    ;[run, open] = [0, []]
  }
  let length = 0
  for (let position = 0; position <= characters.length; position++) {
    const character = characters[position] ?? ' '
    const isSpace = /^[\s\p{Cc}]*$/u.test(character)
    if (!isSpace) length++
    if (!isSpace && length === 2) close()
    if (!isSpace) continue
    if (length === 1) {
      run++
      lastLetter = position - 1
    }
    if (run > 0) open.push(position)
    length = 0
  }
  close()
  if (left.size === 0) return undefined
  const composed = composeText(characters.map((character, position) => (left.has(position) ? '' : character)))
  return { ...composed, isJoined: ({ first, last }) => Array.from({ length: last - first }, (_, step) => first + step).some(position => left.has(position)) }
}
