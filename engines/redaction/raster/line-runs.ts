import type { Box } from '../../pdf-core/geometry/box'
import type { Frame } from '../../pdf-core/geometry/frame'
import { seenMatrix, toSeen, toUserSpace } from '../../pdf-core/geometry/frame'
import { mapPoint } from '../../pdf-core/geometry/matrix'
import type { PlacedWord } from '../../pdf-core/content/text-layer'
import type { RedactionArea } from '../areas/areas'
import { DEPTH, HEIGHT, measureBand } from './line-band'
import type { LineBand } from './line-band'

/** Words of one line lie no farther apart than this, in sizes of the type; what lies farther is another column. */
export const MOST_GAP = 1.2

/** What an area and a word have in common of the lower of the two, at least, to stand on one line. */
const BESIDE = 0.5

/** An area that is higher than this, in sizes of the type beside it, holds more than one line. */
const MOST_HEIGHT = 2

/** Degrees by which a line may slope and still count as straight. */
const SLOPE = 0.6

/** A word on a page that is turned so that its line runs from left to right; points from the lower-left corner. */
export interface LineWord {
  /** Its position among the words of the page. */
  index: number
  left: number
  right: number
  baseline: number
  size: number
}

/** Areas side by side with no word between them, and the words behind them up to the next ones. */
export interface LinePiece {
  areas: RedactionArea[]
  left: number
  right: number
  /** How wide its areas are one by one; those that overlap count as one. */
  widths: number[]
  words: LineWord[]
}

/** A stretch of one line from its first area to its end or the end of its column. */
export interface LineRun extends LineBand {
  /** The page, turned so that the line runs from left to right. */
  frame: Frame
  /** Degrees clockwise by which it is turned from the page as seen. */
  turn: number
  pieces: LinePiece[]
  /** Where lines without areas end in the same column; undefined where there are none. */
  columnEnd: number | undefined
  /** Where something stands that can't move, in points. */
  stop?: number | undefined
}

/** The frame of a page that is turned clockwise from how it is seen. */
function turnFrame(frame: Frame, turn: number): Frame {
  const [width, height] = turn % 180 === 0 ? [frame.width, frame.height] : [frame.height, frame.width]
  return { ...frame, rotation: (frame.rotation + turn) % 360, width, height }
}

/**
 * The runs of a page's areas. Words are in user space, boxes of areas on the page as seen. Areas over several lines,
 * and those on lines that slope, are in none.
 */
export function findLineRuns(frame: Frame, areas: readonly RedactionArea[], words: readonly PlacedWord[]): LineRun[] {
  const placed = areas.filter(({ box }) => box !== undefined)
  const runs: LineRun[] = []
  const left = new Set(placed)
  // Lines along the page come first: an area without words beside it belongs to them.
  for (const turn of [0, 90, 270, 180]) {
    const turned = turnFrame(frame, turn)
    const straight = words.flatMap((word, index) => placeWord(turned, word, index) ?? [])
    const others = words.filter(word => Math.abs(slopeOf(turned, word)) > SLOPE)
    const own = [...left].flatMap(area => {
      const box = boxOf(frame, turned, area)
      const isAlone = turn === 0 && !others.some(word => isNear(frame, area, word))
      return isOnLine(box, straight, isAlone) ? [{ area, box }] : []
    })
    for (const { area } of own) left.delete(area)
    runs.push(...joinRows(turned, turn, { areas: own, words: straight }))
  }
  return runs
}

function boxOf(frame: Frame, turned: Frame, { box }: RedactionArea): Box {
  return toSeen(turned, toUserSpace(frame, box ?? { x: 0, y: 0, width: 0, height: 0 }))
}

/** The word on the turned page; undefined where its line does not run from left to right there. */
function placeWord(frame: Frame, { x, y, length, size, angleDeg }: PlacedWord, index: number): LineWord | undefined {
  if (Math.abs(slopeOf(frame, { angleDeg })) > SLOPE) return undefined
  const [left, baseline] = mapPoint(seenMatrix(frame), x, y)
  return { index, left, right: left + length * frame.userUnit, baseline, size: size * frame.userUnit }
}

/**
 * Degrees counter-clockwise by which the line of a word leaves the horizontal of the page as seen, from -180 to 180.
 */
export function slopeOf({ rotation }: Frame, { angleDeg }: Pick<PlacedWord, 'angleDeg'>): number {
  return ((((angleDeg - rotation) % 360) + 540) % 360) - 180
}

/** Whether a word of any direction begins beside an area. */
export function isNear(frame: Frame, { box }: RedactionArea, { x, y, size }: PlacedWord): boolean {
  const [across, up] = mapPoint(seenMatrix(frame), x, y)
  const reach = size * frame.userUnit * 2
  if (!box) return false
  const isBeneath = across > box.x - reach && across < box.x + box.width + reach
  return isBeneath && up > box.y - reach && up < box.y + box.height + reach
}

function isOnLine(box: Box, words: readonly LineWord[], isAlone: boolean): boolean {
  const beside = words.filter(word => {
    const gap = Math.max(word.left - (box.x + box.width), box.x - word.right)
    return gap < word.size * MOST_GAP * 2 && isBeside(word, box.y, box.y + box.height)
  })
  return beside.length === 0
    ? isAlone && box.height <= box.width * 2
    : beside.every(({ size }) => box.height <= size * MOST_HEIGHT)
}

function isBeside({ baseline, size }: LineWord, bottom: number, top: number): boolean {
  const [low, high] = [baseline - DEPTH * size, baseline + HEIGHT * size]
  return Math.min(high, top) - Math.max(low, bottom) >= BESIDE * Math.min(high - low, top - bottom)
}

interface Item {
  left: number
  right: number
  area?: RedactionArea
  word?: LineWord
}

interface PlacedArea {
  area: RedactionArea
  box: Box
}

function joinRows(frame: Frame, turn: number, { areas, words }: { areas: PlacedArea[]; words: LineWord[] }): LineRun[] {
  const rows: PlacedArea[][] = []
  for (const one of areas.sort((a, b) => a.box.x - b.box.x)) {
    const row = rows.find(others => others.some(({ box }) => isLevel(box, one.box)))
    if (row) row.push(one)
    else rows.push([one])
  }
  const taken = new Set<number>()
  const members = rows.map(row =>
    words.filter(word => row.some(({ box }) => isBeside(word, box.y, box.y + box.height))),
  )
  for (const row of members) for (const { index } of row) taken.add(index)
  const lines = joinLines(words.filter(({ index }) => !taken.has(index)))
  return rows.flatMap((row, at) => {
    const beside = members[at] ?? []
    return splitRow(row, beside).map(items => makeRun({ frame, turn, lines, words, beside }, items))
  })
}

/** Whether two boxes stand on one line. */
function isLevel(one: Box, other: Box): boolean {
  const inCommon = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return inCommon >= BESIDE * Math.min(one.height, other.height)
}

/** Where stretches of words without wide gaps begin and end. */
function joinLines(words: readonly LineWord[]): { left: number; right: number }[] {
  const rows = new Map<number, LineWord[]>()
  for (const word of words) {
    const key = Math.round(word.baseline)
    const row = rows.get(key) ?? []
    row.push(word)
    rows.set(key, row)
  }
  return [...rows.values()].flatMap(row => {
    const lines: { left: number; right: number }[] = []
    for (const { left, right, size } of row.sort((one, other) => one.left - other.left)) {
      const last = lines.at(-1)
      if (last && left - last.right <= MOST_GAP * size) last.right = Math.max(last.right, right)
      else lines.push({ left, right })
    }
    return lines
  })
}

/** The stretches of a row, from column to column, that have areas. */
function splitRow(areas: readonly PlacedArea[], words: readonly LineWord[]): Item[][] {
  const items: Item[] = areas.map(({ area, box }) => ({ left: box.x, right: box.x + box.width, area }))
  items.push(...words.map(word => ({ left: word.left, right: word.right, word })))
  items.sort((one, other) => one.left - other.left || one.right - other.right)
  const size = Math.max(...words.map(word => word.size), ...areas.map(({ box }) => box.height))
  const stretches: Item[][] = []
  let end = -Infinity
  for (const item of items) {
    const last = stretches.at(-1)
    if (last && item.left - end <= MOST_GAP * size) last.push(item)
    else stretches.push([item])
    end = last ? Math.max(end, item.right) : item.right
  }
  return stretches.filter(stretch => stretch.some(({ area }) => area))
}

interface Surroundings {
  frame: Frame
  turn: number
  lines: readonly { left: number; right: number }[]
  /** All words of the page, and those of the row. */
  words: readonly LineWord[]
  beside: readonly LineWord[]
}

function makeRun({ frame, turn, lines, words, beside }: Surroundings, items: readonly Item[]): LineRun {
  const pieces: LinePiece[] = []
  for (const { left, right, area, word } of items) {
    const last = pieces.at(-1)
    if (area && last && last.words.length === 0) {
      last.areas.push(area)
      if (left >= last.right) last.widths.push(right - left)
      else last.widths.push((last.widths.pop() ?? 0) + Math.max(0, right - last.right))
      last.right = Math.max(last.right, right)
    } else if (area) pieces.push({ areas: [area], left, right, widths: [right - left], words: [] })
    else if (word && last) last.words.push(word)
  }
  const seen = turnFrame(frame, (360 - turn) % 360)
  const boxes = pieces.flatMap(({ areas }) => areas.map(area => boxOf(seen, frame, area)))
  const own = items.flatMap(({ word }) => word ?? [])
  const band = measureBand(boxes, own.length > 0 ? own : beside, words)
  // Only what stands in front of the first box tells the column: how far the line reached depends on what was removed.
  const [start, box] = [items[0]?.left ?? 0, pieces[0]?.left ?? 0]
  const ends = lines.filter(({ left, right }) => left <= box && right > start).map(({ right }) => right)
  return { frame, turn, pieces, ...band, columnEnd: ends.length > 0 ? Math.max(...ends) : undefined }
}
