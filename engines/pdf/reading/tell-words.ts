import type { PlacedWord } from '../content/text-layer'
import { boundsOfBox } from '../geometry/geometry'
import type { Bounds } from '../geometry/geometry'
import type { Box } from '../geometry/box'
import { indexesWhere } from './glyph'
import type { Glyph } from './glyph'
import { joinWords } from './join-words'
import type { PageContents } from './read-page'

/** Only the first large images of a page are compared with text. `LEAST_SHARE` is their minimum share of the page. */
const MAX_IMAGES = 100
const LEAST_SHARE = 0.01

/** Minimum share of a glyph that an image must cover to hide it. */
const COVERED = 0.8

/** The words of a page, separated by whether they are visible. */
export interface SeenWords {
  seen: PlacedWord[]
  /** Words that are drawn without ink, or covered by an image. */
  unseen: PlacedWord[]
  /** Whether some words are drawn with ink but covered by an image. */
  isInkCovered: boolean
  /** Share of the visible page that opaque images cover, from 0 to 1. Overlapping parts count twice. */
  imageShare: number
}

/** Separates the visible words of a page from the hidden ones. `visible` is the visible part of user space. */
export function tellWords({ list, images }: PageContents, visible: Box): SeenWords {
  const page = boundsOfBox(visible)
  const large = images
    .filter(({ isOpaque }) => isOpaque)
    .map(image => ({ ...image, share: shareOf(image, page) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .slice(0, MAX_IMAGES)
  const isCovered = (glyph: Glyph): boolean =>
    large.some(image => image.order > glyph.shown.order && shareOf(image, solid(glyph)) >= COVERED)
  const { table, indexes } = list
  const covered = new Set(large.length > 0 ? indexesWhere(indexes, at => isCovered(table.at(at))) : [])
  const isUnseen = (at: number): boolean => covered.has(at) || table.at(at).style.isUnseen
  return {
    seen: joinWords({ table, indexes: indexesWhere(indexes, at => !isUnseen(at)) }),
    unseen: joinWords({ table, indexes: indexesWhere(indexes, isUnseen) }),
    isInkCovered: [...covered].some(at => !table.at(at).style.isUnseen),
    imageShare: Math.min(
      1,
      large.reduce((sum, { share }) => sum + share, 0),
    ),
  }
}

/** Bounds with an area. A row of dots has no height but still a position. */
function solid({ left, bottom, right, top }: Bounds): Bounds {
  return { left, bottom, right: Math.max(right, left + 0.01), top: Math.max(top, bottom + 0.01) }
}

/** The share of `whole` that bounds cover. */
function shareOf(bounds: Bounds, whole: Bounds): number {
  const width = Math.min(bounds.right, whole.right) - Math.max(bounds.left, whole.left)
  const height = Math.min(bounds.top, whole.top) - Math.max(bounds.bottom, whole.bottom)
  return width > 0 && height > 0 ? (width * height) / ((whole.right - whole.left) * (whole.top - whole.bottom)) : 0
}
