import type { PlacedWord } from '../../pdf-core/content/text-layer'

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Characters that are read from left to right in any line: Latin letters and digits of all scripts. */
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Divides words into lines: words in a row with the same baseline. */
export function groupLines(words: readonly PlacedWord[]): PlacedWord[][] {
  const lines: PlacedWord[][] = []
  let last: PlacedWord | undefined
  for (const word of words) {
    if (last && isOnLine(last, word)) lines.at(-1)?.push(word)
    else lines.push([word])
    last = word
  }
  return lines
}

function isOnLine(one: PlacedWord, other: PlacedWord): boolean {
  if (Math.abs(one.angleDeg - other.angleDeg) > 1) return false
  const angle = (one.angleDeg * Math.PI) / 180
  const across = (word: PlacedWord): number => word.y * Math.cos(angle) - word.x * Math.sin(angle)
  return Math.abs(across(one) - across(other)) < 0.3 * Math.max(one.size, other.size)
}

/**
 * Puts a line from visual order into reading order. The direction of a line is that of most of its words. Words of the
 * other direction that follow each other are turned around. Line breaks then don't change the order of words.
 */
export function orderForReading(line: readonly PlacedWord[]): PlacedWord[] {
  const backwardCount = line.filter(word => RIGHT_TO_LEFT.test(word.text)).length
  if (backwardCount === 0) return [...line]
  const forwardCount = line.filter(word => !RIGHT_TO_LEFT.test(word.text) && LEFT_TO_RIGHT.test(word.text)).length
  const isBackward = backwardCount >= forwardCount
  const ordered: PlacedWord[] = []
  let against: PlacedWord[] = []
  const flush = (): void => {
    ordered.push(...against.reverse())
    against = []
  }
  for (const word of isBackward ? [...line].reverse() : line) {
    const runsBackward = RIGHT_TO_LEFT.test(word.text)
    const turned = runsBackward ? { ...word, text: turnAround(word.text) } : word
    const isAgainst = isBackward ? !runsBackward && LEFT_TO_RIGHT.test(word.text) : runsBackward
    if (isAgainst) against.push(turned)
    else {
      flush()
      ordered.push(turned)
    }
  }
  flush()
  return ordered
}

/** Turns a right-to-left word from visual order into reading order. Numbers in it keep their order. */
function turnAround(text: string): string {
  const turned = Array.from(graphemes.segment(text), ({ segment }) => segment)
    .reverse()
    .join('')
  return turned.replace(/[\p{Nd}\p{Script=Latin}]{2,}/gu, part => Array.from(part).reverse().join(''))
}
