import type { TextLine } from './model'

/** Code has at most this many empty lines below each other. */
const MOST_EMPTY = 2

/** Distances of lines that differ by less than this share are the same. Some programs move lines to whole pixels. */
const SAME_LEADING = 0.08

/** Lines are on the grid of the lines above them if they are off by less than this share of their distance. */
const ON_GRID = 0.055

/** Returns whether a line is code. The font of recognized text, which is drawn without ink, says nothing. */
export function isCode({ words }: TextLine): boolean {
  return words.every(word => word.isMonospaced && !word.isUnseen)
}

/** Returns whether lines are a block of code. Code has a letter or a digit. */
export function isCodeBlock(lines: readonly TextLine[]): boolean {
  return lines.every(isCode) && lines.some(({ words }) => words.some(({ text }) => /[\p{L}\d]/u.test(text)))
}

/** The usual distance between the baselines of lines of code below each other. Infinity if there is none. */
export function codeLeadingOf(lines: readonly TextLine[]): number {
  const distances = lines.slice(1).flatMap((line, at) => {
    const above = lines[at] as TextLine // at + 1 is in the array
    const distance = line.baseline - above.baseline
    return distance > 0.9 * line.size && isCode(line) && isCode(above) ? [distance] : []
  })
  const counts = new Map<number, number>()
  for (const distance of distances) {
    const rounded = Math.round(distance * 2) / 2
    counts.set(rounded, (counts.get(rounded) ?? 0) + 1)
  }
  const most = [...counts.values()].reduce((one, other) => Math.max(one, other), 0)
  const usual = [...counts].reduce(
    (least, [value, count]) => (count === most ? Math.min(least, value) : least),
    Infinity,
  )
  const near = distances.filter(distance => Math.abs(distance - usual) < SAME_LEADING * usual)
  return near.length > 0 ? near.reduce((sum, distance) => sum + distance, 0) / near.length : Infinity
}

/** The number of empty lines between two lines of code. Undefined if their distance isn't one of whole lines. */
export function emptyLines(before: TextLine, line: TextLine, leading: number): number | undefined {
  const count = (line.baseline - before.baseline) / leading
  const whole = Math.round(count)
  if (whole < 1 || whole > MOST_EMPTY + 1 || Math.abs(count - whole) > ON_GRID * Math.max(1, whole - 1))
    return undefined
  return whole - 1
}
