import type { Box, Frame } from '../../../pdf/geometry'
import { mapPoint, seenMatrix, toSeen, toUserSpace } from '../../../pdf/geometry'
import type { PlacedWord } from '../../../pdf/rewrite-content'
import type { RedactionArea } from '../areas/areas'
import { DEPTH, HEIGHT, measureBand } from './line-band'
import type { LineBand } from './line-band'

/** Maximum gap between words of one line, in ems. A wider gap separates columns. */
export const MOST_GAP = 1.2

/**
 * Maximum gap between an area and the words that tell the height of its line, in ems. They may be in the next column,
 * so it is wider than the gap in a line.
 */
const MOST_GAP_TO_NEIGHBOR = 2 * MOST_GAP

/** Maximum height of an area on a line without other words, relative to its width. Taller areas cover more lines. */
const MOST_ALONE_HEIGHT = 2

/** Maximum distance of a word that begins near an area, in ems. */
const NEAR = 2

/** Minimum vertical overlap of an area and a word on one line, as a share of the smaller height. */
const BESIDE = 0.5

/** Maximum height of an area on one line, in ems of the words next to it. */
const MOST_LINE_HEIGHT = 2

/** Maximum slope of a line that counts as straight, in degrees. */
const SLOPE = 0.6

/** A word on a page that is rotated so that the line runs from left to right, in points from the lower-left corner. */
export interface LineWord {
  /** The index of the word among the words of the page. */
  index: number
  left: number
  right: number
  baseline: number
  size: number
}

/** Adjacent areas with no word between them, and the words after them up to the next area. */
export interface LinePiece {
  areas: RedactionArea[]
  left: number
  right: number
  /** The width of each area. Overlapping areas count as one. */
  widths: number[]
  words: LineWord[]
}

/** The part of a line from its first area to the end of the line or of the column. */
export interface LineRun extends LineBand {
  /** The frame of the page, rotated so that the line runs from left to right. */
  frame: Frame
  /** The clockwise rotation of the frame relative to the page as displayed, in degrees. */
  turn: number
  pieces: LinePiece[]
  /** Position at which lines without areas end in the same column. Undefined if there are no such lines. */
  columnEnd: number | undefined
  /** The position of the next content that can't move, in points. */
  stop?: number | undefined
}

/** Returns the frame of a page, rotated clockwise relative to the page as displayed. */
function turnFrame(frame: Frame, turn: number): Frame {
  const [width, height] = turn % 180 === 0 ? [frame.width, frame.height] : [frame.height, frame.width]
  return { ...frame, rotation: (frame.rotation + turn) % 360, width, height }
}

/**
 * Returns the runs of a page's areas. Words are in user space, and boxes of areas are on the page as displayed. Areas
 * over several lines and areas on sloping lines are in no run.
 */
export function findLineRuns(frame: Frame, areas: readonly RedactionArea[], words: readonly PlacedWord[]): LineRun[] {
  const placed = areas.filter(({ box }) => box !== undefined)
  const runs: LineRun[] = []
  const unassigned = new Set(placed)
  // Lines along the page come first, because an area without words next to it belongs to them.
  for (const turn of [0, 90, 270, 180]) {
    const turned = turnFrame(frame, turn)
    const straight = words.flatMap((word, index) => placeWord(turned, word, index) ?? [])
    const slantedWords = words.filter(word => Math.abs(slopeOf(turned, word)) > SLOPE)
    const areasOnLines = [...unassigned].flatMap(area => {
      const box = boxOf(frame, turned, area)
      // An area without words next to it isn't assigned to a line across the page, nor if it may be on a sloping line.
      const mayBeAlone = turn === 0 && !slantedWords.some(word => isNear(frame, area, word))
      return isOnLine(box, straight, mayBeAlone) ? [{ area, box }] : []
    })
    for (const { area } of areasOnLines) unassigned.delete(area)
    runs.push(...joinRows(turned, turn, { areas: areasOnLines, words: straight }))
  }
  return runs
}

function boxOf(frame: Frame, turned: Frame, { box }: RedactionArea): Box {
  return toSeen(turned, toUserSpace(frame, box ?? { x: 0, y: 0, width: 0, height: 0 }))
}

/** Returns the word on the rotated page. Returns undefined if its line doesn't run from left to right there. */
function placeWord(frame: Frame, { x, y, length, size, angleDeg }: PlacedWord, index: number): LineWord | undefined {
  if (Math.abs(slopeOf(frame, { angleDeg })) > SLOPE) return undefined
  const [left, baseline] = mapPoint(seenMatrix(frame), x, y)
  return { index, left, right: left + length * frame.userUnit, baseline, size: size * frame.userUnit }
}

/** Returns the counterclockwise angle of a word's line on the page as displayed, in degrees from -180 to 180. */
export function slopeOf({ rotation }: Frame, { angleDeg }: Pick<PlacedWord, 'angleDeg'>): number {
  return ((((angleDeg - rotation) % 360) + 540) % 360) - 180
}

/** Returns whether a word of any direction begins near an area. */
export function isNear(frame: Frame, { box }: RedactionArea, { x, y, size }: PlacedWord): boolean {
  const [across, up] = mapPoint(seenMatrix(frame), x, y)
  const reach = size * frame.userUnit * NEAR
  if (!box) return false
  const isBeneath = across > box.x - reach && across < box.x + box.width + reach
  return isBeneath && up > box.y - reach && up < box.y + box.height + reach
}

/**
 * Returns whether an area is on one line, and not over several. The words next to it tell how tall a line is. If there
 * are none, only the shape of the area tells. `mayBeAlone` is false if that isn't enough.
 */
function isOnLine(box: Box, words: readonly LineWord[], mayBeAlone: boolean): boolean {
  const beside = words.filter(word => {
    const gap = Math.max(word.left - (box.x + box.width), box.x - word.right)
    return gap < word.size * MOST_GAP_TO_NEIGHBOR && isBeside(word, box.y, box.y + box.height)
  })
  if (beside.length === 0) return mayBeAlone && box.height <= box.width * MOST_ALONE_HEIGHT
  return beside.every(({ size }) => box.height <= size * MOST_LINE_HEIGHT)
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
  const usedWords = new Set<number>()
  const wordsBeside = rows.map(row =>
    words.filter(word => row.some(({ box }) => isBeside(word, box.y, box.y + box.height))),
  )
  for (const row of wordsBeside) for (const { index } of row) usedWords.add(index)
  const lines = joinLines(words.filter(({ index }) => !usedWords.has(index)))
  return rows.flatMap((row, at) => {
    const beside = wordsBeside[at] ?? []
    return splitRow(row, beside).map(items => makeRun({ frame, turn, lines, words, beside }, items))
  })
}

/** Returns whether two boxes are on one line. */
function isLevel(one: Box, other: Box): boolean {
  const inCommon = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return inCommon >= BESIDE * Math.min(one.height, other.height)
}

/** Returns the left and right ends of stretches of words without wide gaps. */
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

/** Splits a row into columns. Returns the columns that have areas. */
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
  /** All words of the page. */
  words: readonly LineWord[]
  /** The words of the row. */
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
  const displayed = turnFrame(frame, (360 - turn) % 360)
  const boxes = pieces.flatMap(({ areas }) => areas.map(area => boxOf(displayed, frame, area)))
  const wordsOfRun = items.flatMap(({ word }) => word ?? [])
  const band = measureBand(boxes, wordsOfRun.length > 0 ? wordsOfRun : beside, words)
  // Only words before the first box identify the column, because the end of the line depends on the removed words.
  const [start, box] = [items[0]?.left ?? 0, pieces[0]?.left ?? 0]
  const ends = lines.filter(({ left, right }) => left <= box && right > start).map(({ right }) => right)
  return { frame, turn, pieces, ...band, columnEnd: ends.length > 0 ? Math.max(...ends) : undefined }
}
