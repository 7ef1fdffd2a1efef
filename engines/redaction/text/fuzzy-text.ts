import type { Match } from '../rules/presets'
import { composeText } from './search-text'
import type { SearchText } from './search-text'

/** Letters of a text below which it is found only as it is written: shorter ones are in too much. */
const LEAST_LETTERS = 4

/** Signs that recognition takes for one another. */
const ALIKE = new Map(
  ['0o', 'Oo', '1l', 'Il', 'il', '|l', '!l', '5s', 'Ss', '8b', 'Bb'].map(pair => [pair.charAt(0), pair.charAt(1)]),
)

const LETTER = /[\p{L}\p{N}]/u

/** A text without spaces, its signs made alike, and the position in the searched text of each unit. */
interface Folded {
  text: string
  sources: number[]
}

/**
 * Finds a text in what was recognized, whether or not words were taken apart or joined, and whichever of signs that
 * look alike were read. What is found begins and ends where words do, unless the text itself has several words.
 */
export function findFuzzyText(
  asked: string,
  searched: SearchText,
  { isExact, wholeWord }: { isExact: boolean; wholeWord: boolean },
): Match[] {
  const given = composeText(Array.from(asked.trim()))
  const wanted = fold(isExact ? given.text : given.lowered).text
  if (wanted.length < LEAST_LETTERS) return []
  const source = isExact ? searched.text : searched.lowered
  const { text, sources } = fold(source)
  const mustFit = wholeWord || !given.text.includes(' ')
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
    // "rn" is read as "m" more often than anything else is misread.
    if (alike === 'n' && folded.at(-1) === 'r' && text[at - 1] === 'r') {
      folded[folded.length - 1] = 'm'
      continue
    }
    folded.push(alike)
    sources.push(at)
  }
  return { text: folded.join(''), sources }
}

/** Whether no word goes across a point of the text. */
function isEdge(text: string, at: number): boolean {
  return !LETTER.test(text[at - 1] ?? '') || !LETTER.test(text[at] ?? '')
}
