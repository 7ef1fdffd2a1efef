import type { PageText } from '../../../pdf/render'
import { accentOf, composes } from '../matching/character-classes'
import type { OrderedText } from './column-order'

/**
 * Maximum distance between the middle of an accent and the middle of its letter, horizontally and vertically, in
 * heights of the letter.
 */
const ASIDE = 0.35
const UP = 0.6

/** Maximum gap between two characters without a space between them, in heights of the letter. */
const SPACE = 0.15

/** Maximum number of accents on a page. Pages with more are left unchanged. */
const MOST_ACCENTS = 2000

interface Place {
  left: number
  right: number
  bottom: number
  top: number
}

/**
 * Returns the characters of a page with accents moved directly after the letters that they are drawn over. Files may
 * draw accents as separate lines or after all other text. Returns undefined if there are no such accents.
 */
export function attachAccents(characters: PageText, texts: readonly string[]): OrderedText | undefined {
  const accents = texts.flatMap((text, at) => (markOf(text) === undefined ? [] : [at]))
  if (accents.length === 0 || accents.length > MOST_ACCENTS) return undefined
  const places = texts.map((text, at) => (/\S/.test(text) ? characters.roomOf(at) : undefined))
  const byCell = sortIntoCells(texts, places)
  const owners = new Map<number, number[]>()
  const moved = new Set<number>()
  for (const at of accents) {
    const letter = findLetter(at, { texts, places, byCell })
    if (letter === undefined) continue
    owners.set(letter, [...(owners.get(letter) ?? []), at])
    moved.add(at)
  }
  return moved.size === 0 ? undefined : moveAccents(texts, places, { owners, moved })
}

function markOf(text: string): string | undefined {
  return accentOf(text) ?? (/^[\u0300-\u036f]$/u.test(text) ? text : undefined)
}

/** The size of a grid cell in units of user space. The grid finds the letters near an accent. */
const CELL = 12

const cellOf = (across: number, up: number): string => `${Math.floor(across / CELL)} ${Math.floor(up / CELL)}`

function sortIntoCells(texts: readonly string[], places: readonly (Place | undefined)[]): Map<string, number[]> {
  const cells = new Map<string, number[]>()
  for (const [at, place] of places.entries()) {
    if (!place || !/\p{L}/u.test(texts[at] ?? '')) continue
    const key = cellOf((place.left + place.right) / 2, (place.bottom + place.top) / 2)
    const cell = cells.get(key)
    if (cell) cell.push(at)
    else cells.set(key, [at])
  }
  return cells
}

/** Returns the nearest letter that an accent is drawn over and that can be composed with it. */
function findLetter(
  accent: number,
  {
    texts,
    places,
    byCell,
  }: { texts: readonly string[]; places: readonly (Place | undefined)[]; byCell: ReadonlyMap<string, number[]> },
): number | undefined {
  const [place, mark] = [places[accent], markOf(texts[accent] ?? '')]
  if (!place || mark === undefined) return undefined
  const [across, up] = [(place.left + place.right) / 2, (place.bottom + place.top) / 2]
  let [best, least] = [undefined as number | undefined, Infinity]
  for (const [x, y] of [-1, 0, 1].flatMap(column =>
    [-1, 0, 1].map(row => [across + column * CELL, up + row * CELL] as const),
  )) {
    for (const at of byCell.get(cellOf(x, y)) ?? []) {
      const letter = places[at]
      if (!letter || !composes(texts[at] ?? '', mark)) continue
      const height = letter.top - letter.bottom
      const [aside, above] = [
        Math.abs((letter.left + letter.right) / 2 - across),
        Math.abs((letter.bottom + letter.top) / 2 - up),
      ]
      if (aside <= ASIDE * height && above <= UP * height && aside + above < least) [best, least] = [at, aside + above]
    }
  }
  return best
}

/** Puts accents after their letters. Keeps white space around a moved accent only if there is a visible gap. */
function moveAccents(
  texts: readonly string[],
  places: readonly (Place | undefined)[],
  { owners, moved }: { owners: ReadonlyMap<number, number[]>; moved: ReadonlySet<number> },
): OrderedText {
  const characters: string[] = []
  const positions: number[] = []
  const add = (at: number): void => {
    characters.push(texts[at] as string)
    positions.push(at)
  }
  let last = -1
  let isBesideMoved = false
  let pendingSpaces: number[] = []
  for (let at = 0; at < texts.length; at++) {
    if (moved.has(at)) isBesideMoved = true
    else if (!/\S/.test(texts[at] as string)) pendingSpaces.push(at)
    else {
      if (!isBesideMoved || isParted(places[last], places[at])) for (const space of pendingSpaces) add(space)
      add(at)
      for (const accent of owners.get(at) ?? []) add(accent)
      ;[last, pendingSpaces, isBesideMoved] = [at, [], false]
    }
  }
  return { characters, order: Int32Array.from(positions) }
}

function isParted(one: Place | undefined, other: Place | undefined): boolean {
  if (!one || !other) return true
  const height = one.top - one.bottom
  return Math.abs(other.left - one.right) > SPACE * height || Math.abs(other.bottom - one.bottom) > UP * height
}
