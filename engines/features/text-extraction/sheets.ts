import type { Frame, Matrix } from '../../pdf/geometry'
import { chainMatrices, IDENTITY, invertMatrix, mapBox, mapPoint, seenMatrix } from '../../pdf/geometry'
import type { GlyphLine, GlyphList, PageContents } from '../../pdf/read-page'
import type { Area, Rule, Sheet } from './lines/model'
import { buildWords } from './words'

/** A filled rectangle that is thinner than this is a line, in points. */
const THIN = 3

/** Small shapes are at most this large, in points. */
const MAX_DOT = 9

/** A line must be at least this long to be part of a table, in points. */
const LEAST_RULE = 4

/** The shading of a paragraph is this far from the borders of its cell, in points. */
const LEAST_PADDING = 1.5
const MOST_PADDING = 8

/** Sides of areas are compared only if there are at most this many. */
const MAX_SIDES = 4000

/**
 * Sorts the content of a page by the direction of its text. The sheet with most of the text comes first. Only this one
 * has lines and shapes.
 */
export function makeSheets(layout: Pick<PageContents, 'list' | 'shapes'>, frame: Frame): Sheet[] {
  const toSeen = seenMatrix(frame)
  const turn = (-frame.rotation * Math.PI) / 180
  const sorted = groupByAngle(layout.list, turn).sort(([, one], [, other]) => other.indexes.length - one.indexes.length)
  return sorted.map(([angle, list], at) =>
    makeSheet({ list, shapes: at === 0 ? layout.shapes : [] }, frame, angle, toSeen),
  )
}

/** Groups glyphs by the angle of their lines on the displayed page, in degrees. At least one group. */
function groupByAngle({ table, indexes }: GlyphList, turn: number): [number, GlyphList][] {
  const { lineOf, lines } = table
  const degreesOf = (angle: number): number => {
    const degrees = Math.round(((angle + turn) * 180) / Math.PI)
    return nearQuarter(((degrees % 360) + 360) % 360)
  }
  const [first] = lines
  if (!first || indexes.length === 0) return [[0, { table, indexes }]]
  if (lines.every(({ angle }) => angle === first.angle)) return [[degreesOf(first.angle), { table, indexes }]]
  const angles = new Map<number, number[]>()
  let [group, lineIndex, exact] = [[] as number[], -1, NaN]
  for (let count = 0; count < indexes.length; count++) {
    const at = indexes[count] as number
    if (lineOf[at] !== lineIndex) {
      lineIndex = lineOf[at] as number
      const { angle } = lines[lineIndex] as GlyphLine // each glyph has a line
      if (angle !== exact) {
        exact = angle
        const rounded = degreesOf(exact)
        group = angles.get(rounded) ?? []
        angles.set(rounded, group)
      }
    }
    group.push(at)
  }
  return [...angles].map(([angle, own]) => [angle, { table, indexes: Int32Array.from(own) }])
}

/** Adds the words of sheets to the sheet of the same direction, or else the whole sheet. */
export function joinSheets(sheets: readonly Sheet[], others: readonly Sheet[]): Sheet[] {
  const joined = [...sheets]
  for (const other of others) {
    const at = joined.findIndex(({ toSeen }) => toSeen.every((value, index) => isNear(value, other.toSeen[index])))
    const sheet = joined[at]
    if (sheet) joined[at] = { ...sheet, words: [...sheet.words, ...other.words] }
    else joined.push(other)
  }
  return joined
}

function isNear(one: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(one - other) < 0.01
}

function makeSheet(
  { list, shapes }: Pick<PageContents, 'list' | 'shapes'>,
  frame: Frame,
  angle: number,
  toSeen: Matrix,
): Sheet {
  const radians = (-angle * Math.PI) / 180
  const [cos, sin] = [snap(Math.cos(radians)), snap(Math.sin(radians))]
  const turned: Matrix = [cos, sin, -sin, cos, 0, 0]
  const box = mapBox(turned, { x: 0, y: 0, width: frame.width, height: frame.height })
  // The origin of the sheet is its upper-left corner.
  const fromSeen = chainMatrices(turned, [1, 0, 0, -1, -box.x, box.y + box.height])
  const fromUser = chainMatrices(toSeen, fromSeen)
  const { rules, dots } = sortShapes(shapes, fromUser)
  return {
    toSeen: invertMatrix(fromSeen) ?? IDENTITY, // always invertible, because it only turns and mirrors
    width: box.width,
    height: box.height,
    words: buildWords(list, fromUser),
    rules,
    dots,
  }
}

function sortShapes(shapes: PageContents['shapes'], matrix: Matrix): { rules: Rule[]; dots: Area[] } {
  const rules: Rule[] = []
  const filled: Area[] = []
  const dots: Area[] = []
  for (const shape of shapes) {
    const [x1, y1] = mapPoint(matrix, shape.left, shape.bottom)
    const [x2, y2] = mapPoint(matrix, shape.right, shape.top)
    const area = { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) }
    const [width, height] = [area.right - area.left, area.bottom - area.top]
    const isSmall = width <= MAX_DOT && height <= MAX_DOT && width >= 1 && height >= 1
    const isRound = isSmall && Math.abs(width - height) <= 0.25 * Math.max(width, height)
    if (shape.kind === 'blob' || (isRound && shape.kind === 'box')) {
      if (isRound) dots.push(area)
    } else if (height <= THIN || width <= THIN) {
      const isHorizontal = width >= height
      if (Math.max(width, height) >= LEAST_RULE) rules.push({ ...area, isHorizontal, isEdge: false })
    } else {
      if (shape.isStroked) rules.push(...edgesOf(area, false))
      else filled.push(area)
    }
  }
  rules.push(...dropShading(filled, rules).flatMap(area => edgesOf(area, true)))
  return { rules, dots }
}

function edgesOf(area: Area, isEdge: boolean): Rule[] {
  return [
    { ...area, bottom: area.top, isHorizontal: true, isEdge },
    { ...area, top: area.bottom, isHorizontal: true, isEdge },
    { ...area, right: area.left, isHorizontal: false, isEdge },
    { ...area, left: area.right, isHorizontal: false, isEdge },
  ]
}

/** Leaves out filled areas between the borders of a cell or of a larger area, such as the shading of paragraphs. */
function dropShading(filled: readonly Area[], rules: readonly Rule[]): Area[] {
  const sides = [
    ...rules.filter(({ isHorizontal }) => !isHorizontal),
    ...filled.flatMap(area => [
      { ...area, right: area.left },
      { ...area, left: area.right },
    ]),
  ].sort((one, other) => one.left - other.left)
  if (sides.length > MAX_SIDES) return [...filled]
  const isBeside = ({ top, bottom }: Area, from: number, to: number): boolean => {
    for (let at = firstFrom(sides, from); at < sides.length; at++) {
      const side = sides[at] as Area // at is in the array
      if (side.left > to) return false
      if (side.top <= top + 1 && side.bottom >= bottom - 1) return true
    }
    return false
  }
  return filled.filter(
    area =>
      !isBeside(area, area.left - MOST_PADDING, area.left - LEAST_PADDING) ||
      !isBeside(area, area.right + LEAST_PADDING, area.right + MOST_PADDING),
  )
}

/** The index of the first area that begins at `left` or after it. */
function firstFrom(sorted: readonly Area[], left: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as Area).left < left) low = middle + 1
    else high = middle
  }
  return low
}

/** The nearest quarter turn, if an angle in degrees is close to it. */
function nearQuarter(angle: number): number {
  const quarter = Math.round(angle / 90) * 90
  return Math.abs(angle - quarter) <= 4 ? quarter % 360 : angle
}

function snap(value: number): number {
  return Math.abs(value) < 1e-9 ? 0 : value
}
