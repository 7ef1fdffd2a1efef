import type { Match } from './match'
import { composeText } from './search-text'
import type { SearchText } from './search-text'

/** Minimum number of letters in a text for a fuzzy search. Shorter texts would match too often. */
const LEAST_LETTERS = 4

/** Characters that text recognition confuses. */
const ALIKE = new Map(
  ['0o', 'Oo', '1l', 'Il', 'il', '|l', '!l', '5s', 'Ss', '8b', 'Bb'].map(pair => [pair.charAt(0), pair.charAt(1)]),
)

const LETTER = /[\p{L}\p{N}]/u

/** A text without spaces and with confusable characters unified, and the source position of each unit. */
interface Folded {
  text: string
  sources: number[]
}

/**
 * Finds a text in recognized text, even if words were split or joined, or similar characters were confused. Matches
 * begin and end at word boundaries, unless the text itself has several words.
 */
export function findFuzzyText(
  ruleText: string,
  searched: SearchText,
  { isExact, wholeWord }: { isExact: boolean; wholeWord: boolean },
): Match[] {
  const composed = composeText(Array.from(ruleText.trim()))
  const wanted = fold(isExact ? composed.text : composed.lowered).text
  if (wanted.length < LEAST_LETTERS) return []
  const source = isExact ? searched.text : searched.lowered
  const { text, sources } = fold(source)
  const mustFit = wholeWord || !composed.text.includes(' ')
  const matches: Match[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const match = { start: sources[at] ?? 0, end: sources[at + wanted.length] ?? source.length }
    while (match.end > match.start && source[match.end - 1] === ' ') match.end--
    if (mustFit && !(isEdge(source, match.start) && isEdge(source, match.end))) continue
    if (match.start < (matches.at(-1)?.end ?? 0)) continue
    matches.push(match)
  }
  return matches
}

function fold(text: string): Folded {
  const folded: string[] = []
  const sources: number[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (sign === ' ') continue
    const plain = sign.normalize('NFD')[0] ?? sign
    const alike = ALIKE.get(plain) ?? plain
    // Reading "rn" as "m" is the most frequent recognition error.
    if (alike === 'n' && folded.at(-1) === 'r' && text[at - 1] === 'r') {
      folded[folded.length - 1] = 'm'
      continue
    }
    folded.push(alike)
    sources.push(at)
  }
  return { text: folded.join(''), sources }
}

/** Returns whether an offset of the text isn't inside a word. */
function isEdge(text: string, at: number): boolean {
  return !LETTER.test(text[at - 1] ?? '') || !LETTER.test(text[at] ?? '')
}
