import { drawCircle, numbers } from '../annotations/annotation-style'

export type Mark = 'check' | 'circle' | 'cross' | 'diamond' | 'square' | 'star'

/** ZapfDingbats characters that are used as captions of check boxes and radio buttons (ISO 32000-2, 12.7.5.2.3). */
const MARKS: ReadonlyMap<string, Mark> = new Map([
  ['4', 'check'],
  ['l', 'circle'],
  ['8', 'cross'],
  ['u', 'diamond'],
  ['n', 'square'],
  ['H', 'star'],
])

/** Returns the mark for a caption, or `usual` if the caption is unknown. */
export function findMark(caption: string | undefined, usual: Mark): Mark {
  return (caption === undefined ? undefined : MARKS.get(caption)) ?? usual
}

/** Corners of the marks in a square with a side length of 1, centered at 0,0. */
const CORNERS: Readonly<Record<Exclude<Mark, 'circle'>, readonly (readonly [number, number])[]>> = {
  check: [
    [-0.36, 0.02],
    [-0.25, 0.12],
    [-0.1, -0.1],
    [0.26, 0.38],
    [0.38, 0.31],
    [-0.07, -0.36],
  ],
  cross: [
    [-0.33, -0.23],
    [-0.1, 0],
    [-0.33, 0.23],
    [-0.23, 0.33],
    [0, 0.1],
    [0.23, 0.33],
    [0.33, 0.23],
    [0.1, 0],
    [0.33, -0.23],
    [0.23, -0.33],
    [0, -0.1],
    [-0.23, -0.33],
  ],
  diamond: [
    [0, -0.36],
    [0.36, 0],
    [0, 0.36],
    [-0.36, 0],
  ],
  square: [
    [-0.27, -0.27],
    [0.27, -0.27],
    [0.27, 0.27],
    [-0.27, 0.27],
  ],
  // Five points, with an inner corner after each. The first one is at the top.
  star: Array.from({ length: 10 }, (_, index) => {
    const angle = (Math.PI * (index + 2.5)) / 5
    const radius = index % 2 === 0 ? 0.38 : 0.145
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const
  }),
}

const DOT_RADIUS = 0.24

/** Returns the operators for a mark in the center of a box, in the current fill color. */
export function drawMark(
  mark: Mark,
  { width, height, inset }: { width: number; height: number; inset: number },
): string {
  const side = Math.min(width, height) - 2 * inset
  const [x, y] = [width / 2, height / 2]
  if (mark === 'circle') return `${drawCircle(x, y, side * DOT_RADIUS)} f`
  const path = CORNERS[mark].map(
    ([dx, dy], index) => `${numbers(x + dx * side, y + dy * side)} ${index === 0 ? 'm' : 'l'}`,
  )
  return `${path.join(' ')} h f`
}
