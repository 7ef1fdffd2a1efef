import type { Bounds } from '../content/geometry'
import type { PdfDocument } from '../pdf-core/document'
import { toSeen } from '../pdf-core/frame'
import type { Box } from '../pdf-core/box'
import type { Frame } from '../pdf-core/frame'
import type { CharacterPlace, PageCharacters } from '../pdfium/characters'
import { openRenderer } from '../pdfium/render'
import { emptyPage, makeArea } from './areas'
import type { PageAreas } from './areas'
import type { Rule } from './search'
import { composeText, spanOf } from './search-text'
import type { Span } from './search-text'

/** How much of a character's room is left free above and below, where neighbouring lines may reach into it. */
const ABOVE = 0.14
const BELOW = 0.1

/** Boxes of one line: how much of the lower one lies beside the other, and how far apart they may be, in heights. */
const BESIDE = 0.5
const MOST_GAP = 3

/** The areas of all places in the content of pages that rules match, by page; each rule counts its own. */
export async function findPlaces(document: PdfDocument, rules: readonly Rule[], paddingPt: number): Promise<PageAreas[]> {
  const indexes = document.pages.flatMap((_, index) => (rules.some(rule => rule.isOn(index)) ? [index] : []))
  const found: PageAreas[] = []
  let renderer = await openRenderer(document)
  try {
    for (const index of indexes) {
      if (renderer.isBroken) renderer = await openRenderer(document)
      const page = emptyPage(document, index)
      const own = rules.filter(rule => rule.isOn(index))
      renderer.readCharacters(index, characters => searchPage(page, characters, { rules: own, paddingPt }))
      if (page.areas.length > 0) found.push(page)
    }
  } finally {
    renderer.close()
  }
  return found
}

function searchPage(page: PageAreas, characters: PageCharacters, { rules, paddingPt }: { rules: readonly Rule[]; paddingPt: number }): void {
  const searched = composeText(characters.texts)
  for (const rule of rules) {
    for (const match of rule.find(searched)) {
      rule.count()
      const { first, last } = spanOf(searched, match)
      const boxes = joinBoxes(page.frame, characters, { first, last })
      for (const [index, box] of boxes.entries()) {
        // A match that is broken into lines is one thing: its text is written once.
        const text = index === widest(boxes) ? rule.replacementText : undefined
        page.areas.push(makeArea(page.frame, box, { paddingPt, param: `${rule.param}.replacementText`, replacementText: text }))
      }
    }
  }
}

function widest(boxes: readonly Box[]): number {
  return boxes.reduce((best, box, index) => (box.width > (boxes[best]?.width ?? 0) ? index : best), 0)
}

/** How a line runs on the page as seen. */
type Direction = 'across' | 'along' | 'slanted'

/** Boxes around characters on the page as seen: one for each line of them, one for each character of a slanted line. */
function joinBoxes(frame: Frame, characters: PageCharacters, { first, last: end }: Span): Box[] {
  const joined: Box[] = []
  let before: Direction | undefined
  for (let index = first; index <= end; index++) {
    const place = characters.texts[index]?.trim() ? characters.placeOf(index) : undefined
    if (!place) continue
    const direction = directionOf(frame, place)
    const box = boxOf(frame, place, direction)
    const last = direction === before ? joined.at(-1) : undefined
    if (last && isBeside(last, box, direction)) Object.assign(last, unite(last, box))
    else joined.push(box)
    before = direction
  }
  return joined
}

function directionOf({ rotation }: Frame, { angleDeg }: CharacterPlace): Direction {
  const angle = ((angleDeg - rotation) * Math.PI) / 180
  if (Math.abs(Math.sin(angle)) < 0.01) return 'across'
  return Math.abs(Math.cos(angle)) < 0.01 ? 'along' : 'slanted'
}

/** The room of a character without what neighbouring lines may reach into, and with all that its shape fills. */
function boxOf(frame: Frame, { room, shape }: CharacterPlace, direction: Direction): Box {
  const [whole, filled] = [toSeen(frame, boxOfBounds(room)), toSeen(frame, boxOfBounds(shape))]
  const trimmed = { ...whole }
  if (direction === 'across') {
    trimmed.y += whole.height * BELOW
    trimmed.height *= 1 - ABOVE - BELOW
  } else if (direction === 'along') {
    trimmed.x += whole.width * BELOW
    trimmed.width *= 1 - 2 * BELOW
  }
  return unite(trimmed, filled)
}

function boxOfBounds({ left, bottom, right, top }: Bounds): Box {
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}

function unite(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return { x, y, width: Math.max(one.x + one.width, other.x + other.width) - x, height: Math.max(one.y + one.height, other.y + other.height) - y }
}

/** Whether two boxes stand on one line that runs in a direction. */
function isBeside(one: Box, other: Box, direction: Direction): boolean {
  const across = gapOf(one.x, one.width, other.x, other.width)
  const up = gapOf(one.y, one.height, other.y, other.height)
  if (direction === 'across') return -up >= BESIDE * Math.min(one.height, other.height) && across <= MOST_GAP * Math.max(one.height, other.height)
  return direction === 'along' && -across >= BESIDE * Math.min(one.width, other.width) && up <= MOST_GAP * Math.max(one.width, other.width)
}

/** How far two stretches are apart; less than 0 by as much as they have in common. */
function gapOf(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.max(start, otherStart) - Math.min(start + length, otherStart + otherLength)
}
