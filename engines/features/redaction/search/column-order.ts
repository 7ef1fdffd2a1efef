import type { Box } from '../../../pdf/geometry'
import type { PageText } from '../../../pdf/render'

/**
 * The gap between words that separates columns, and the gap between lines that ends a column, in heights of usual
 * words.
 */
const GUTTER = 1
const MOST_LEADING = 1.5

/**
 * Minimum vertical overlap of two boxes on one line, as a share of the smaller height. Minimum horizontal overlap of
 * two boxes in one column, as a share of the smaller width.
 */
const BESIDE = 0.5
const UNDER = 0.3

/** Maximum number of segments to sort, and maximum number of candidates for the next segment of a column. */
const MOST_SEGMENTS = 20_000
const MOST_CANDIDATES = 2000

/** Maximum width of a segment in a column, as a share of the width of all text. */
const WIDE = 0.6

/** Characters in another order, with added line ends, and the position of each character. −1 for a line end. */
export interface OrderedText {
  characters: string[]
  order: Int32Array
}

/** Words of a line without a wide gap. `x` and `y` are from the lower-left corner of the page as displayed. */
interface Segment extends Box {
  first: number
  last: number
}

/**
 * Returns the characters of a page column by column, ordered by their positions. Files may draw columns line by line
 * and table cells row by row. `texts` are the texts of the characters. `toSeen` converts a box to the page as
 * displayed. Returns undefined if the order doesn't change, or if there is too much text, which calls `fail`.
 */
export function readColumns(
  characters: PageText,
  texts: readonly string[],
  { toSeen, fail }: { toSeen: (box: Box) => Box; fail: () => void },
): OrderedText | undefined {
  const segments = readSegments(characters, toSeen)
  if (segments.length > MOST_SEGMENTS) fail()
  if (segments.length < 2 || segments.length > MOST_SEGMENTS) return undefined
  const ordered = orderByColumns(chain(segments), segments)
  return ordered.every((segment, index) => segment === segments[index]) ? undefined : joinLines(ordered, texts)
}

/** Returns the characters of lines, with a line end after each line. `texts` are the texts of all characters. */
export function joinLines(lines: readonly { first: number; last: number }[], texts: readonly string[]): OrderedText {
  const characters: string[] = []
  const order: number[] = []
  for (const { first, last } of lines) {
    for (let at = first; at <= last; at++) {
      characters.push(texts[at] as string)
      order.push(at)
    }
    characters.push('\n')
    order.push(-1)
  }
  return { characters, order: Int32Array.from(order) }
}

function readSegments(characters: PageText, toSeen: (box: Box) => Box): Segment[] {
  const words = readWords(characters, toSeen)
  const height = usualHeight(words)
  const segments: Segment[] = []
  for (const word of words) {
    const last = segments.at(-1)
    if (last && isBeside(last, word) && Math.abs(word.x - last.x - last.width) <= GUTTER * height) extend(last, word)
    else segments.push(word)
  }
  return segments
}

/** Returns the words, with boxes around their first and last characters. */
function readWords(characters: PageText, toSeen: (box: Box) => Box): Segment[] {
  const { texts } = characters
  const words: Segment[] = []
  for (let at = 0; at < texts.length; at++) {
    if (isSpace(texts[at] as string)) continue
    const first = at
    while (at + 1 < texts.length && !isSpace(texts[at + 1] as string)) at++
    const one = boxAt(characters, first)
    const other = at === first ? undefined : boxAt(characters, at)
    const box = one && other ? unite(one, other) : (one ?? other)
    if (!box) continue
    const { x, y, width, height } = toSeen(box)
    words.push({ x, y, width, height, first, last: at })
  }
  return words
}

function isSpace(character: string): boolean {
  return character === '' || character <= ' ' || character === '\u00a0'
}

function boxAt(characters: PageText, index: number): Box | undefined {
  const shape = characters.roomOf(index) ?? characters.shapeOf(index)
  return shape && { x: shape.left, y: shape.bottom, width: shape.right - shape.left, height: shape.top - shape.bottom }
}

function usualHeight(words: readonly Segment[]): number {
  const heights = Float64Array.from(words, ({ height }) => height).sort()
  return heights[heights.length >> 1] ?? 1
}

function unite(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

/** Extends a segment to the end of another one. */
function extend(segment: Segment, { x, y, width, height, last }: Segment): void {
  const [left, bottom] = [Math.min(segment.x, x), Math.min(segment.y, y)]
  segment.width = Math.max(segment.x + segment.width, x + width) - left
  segment.height = Math.max(segment.y + segment.height, y + height) - bottom
  segment.x = left
  segment.y = bottom
  segment.last = last
}

function isBeside(one: Box, other: Box): boolean {
  return (
    Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) >=
    BESIDE * Math.min(one.height, other.height)
  )
}

/** Chains segments into columns: each segment is followed by the nearest segment below it, if one is near. */
function chain(segments: readonly Segment[]): Segment[][] {
  const height = usualHeight(segments)
  const fromTop = [...segments].sort((one, other) => other.y + other.height - one.y - one.height)
  const claims = new Map<Segment, { from: Segment; distance: number }>()
  for (const [index, segment] of fromTop.entries()) {
    const next = findBelow(segment, fromTop, { from: index + 1, height })
    const earlier = next && claims.get(next.to)
    if (next && !(earlier && earlier.distance <= next.distance))
      claims.set(next.to, { from: segment, distance: next.distance })
  }
  const behind = new Map([...claims].map(([to, { from }]) => [from, to]))
  return fromTop
    .filter(segment => !claims.has(segment))
    .map(start => {
      const path: Segment[] = []
      for (let next: Segment | undefined = start; next; next = behind.get(next)) path.push(next)
      return path
    })
}

/** The nearest segment below another one that it shares columns with. Candidates more than a line further away don't count. */
function findBelow(
  above: Segment,
  fromTop: readonly Segment[],
  { from, height }: { from: number; height: number },
): { to: Segment; distance: number } | undefined {
  let best: { to: Segment; distance: number } | undefined
  for (let at = from; at < fromTop.length && at < from + MOST_CANDIDATES; at++) {
    const below = fromTop[at] as Segment
    const distance = above.y - below.y - below.height
    if (distance > MOST_LEADING * height || (best && distance > best.distance + height)) break
    const shared = Math.min(above.x + above.width, below.x + below.width) - Math.max(above.x, below.x)
    if (below.y >= above.y || isBeside(above, below) || shared < UNDER * Math.min(above.width, below.width)) continue
    if (!best || distance < best.distance) best = { to: below, distance }
  }
  return best
}

/** Orders columns from left to right, each from its top. Segments as wide as several columns come first. */
function orderByColumns(paths: readonly Segment[][], segments: readonly Segment[]): Segment[] {
  const whole = segments.reduce<Box>(unite, segments[0] as Segment)
  const columns: { box: Box; paths: Segment[][] }[] = []
  const wide: Segment[][] = []
  for (const path of paths) {
    const box = path.reduce<Box>(unite, path[0] as Segment)
    const column = columns.find(
      ({ box: { x, width } }) =>
        Math.min(x + width, box.x + box.width) - Math.max(x, box.x) >= BESIDE * Math.min(width, box.width),
    )
    if (box.width > WIDE * whole.width) wide.push(path)
    else if (column) {
      column.paths.push(path)
      column.box = unite(column.box, box)
    } else columns.push({ box, paths: [path] })
  }
  columns.sort((one, other) => one.box.x - other.box.x)
  return [...wide, ...columns.flatMap(({ paths: columnPaths }) => columnPaths)].flat()
}
