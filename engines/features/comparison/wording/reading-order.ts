import type { PlacedWord } from '../../../pdf/rewrite-content'

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

/**
 * Puts lines that don't run from left to right on the displayed page into reading order. PDFium lists lines in the
 * order of the display. If a page is rotated by mistake, its last lines therefore come first. `rotation` is the
 * rotation of the page, in degrees clockwise.
 */
export function orderTurnedLines(lines: readonly PlacedWord[][], rotation: number): PlacedWord[][] {
  const ordered: PlacedWord[][] = []
  for (let start = 0; start < lines.length;) {
    const angle = angleOf(lines[start])
    let end = start + 1
    while (end < lines.length && Math.abs(angleOf(lines[end]) - angle) <= 1) end++
    const run = lines.slice(start, end)
    const seenAngle = (((angle - rotation) % 360) + 360) % 360
    const isUpright = seenAngle < 45 || seenAngle > 315
    const isReversed =
      !isUpright && run.every((line, index) => index === 0 || acrossOf(line) > acrossOf(run[index - 1]))
    ordered.push(...(isReversed ? run.reverse() : run))
    start = end
  }
  return ordered
}

function angleOf(line: readonly PlacedWord[] | undefined): number {
  return line?.[0]?.angleDeg ?? 0
}

/** Distance of the baseline from the origin. */
function acrossOf(line: readonly PlacedWord[] | undefined): number {
  const word = line?.[0]
  return word ? acrossAt(word, word.angleDeg) : 0
}

function acrossAt({ x, y }: PlacedWord, angleDeg: number): number {
  const angle = (angleDeg * Math.PI) / 180
  return y * Math.cos(angle) - x * Math.sin(angle)
}

function isOnLine(one: PlacedWord, other: PlacedWord): boolean {
  if (Math.abs(one.angleDeg - other.angleDeg) > 1) return false
  const distance = Math.abs(acrossAt(one, one.angleDeg) - acrossAt(other, one.angleDeg))
  return distance < 0.3 * Math.max(one.size, other.size)
}

/**
 * Puts a line from visual order into reading order. A line has the direction of most of its words. Consecutive words of
 * the other direction are reversed. Line breaks then don't change the order of words.
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
