import type { Warning } from '../../types'
import { dropAttachments } from '../structure/attachments'
import { selectPages } from './copy-pages'
import { Destinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { forkDocument } from './open'
import { hasNumberedTargets, resolveNumberedTargets } from './page-number-targets'
import { readOutline, writeOutline } from '../structure/outline'
import type { OutlineItem } from '../structure/outline'
import { pruneLayers } from '../structure/prune-layers'
import { reopenDocument } from './reopen'
import { readTextLine } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** One part of a document that is cut up. */
export interface Cut {
  /** Positions of its pages in the document, from 0, in their order. */
  indexes: number[]
  /** Title of the bookmark that it begins at. */
  title?: string
  /** The part as it was written, where cutting needed its size. */
  bytes?: Uint8Array
}

/**
 * The document as parts are taken from it, unchanged since it was opened: where its page tree had to be rebuilt, it is
 * written first, since every part would read the damaged one again, and may read it differently. So it is where
 * something leads to pages by their numbers, which every part would have to look for again.
 */
export function prepareToSplit(document: PdfDocument): PdfDocument {
  if (document.isSound && !hasNumberedTargets(document)) return document
  resolveNumberedTargets(document, document.pages)
  return reopenDocument(document)
}

/** A document of its own with these pages and nothing of the others; files attached to the whole stay behind. */
export function openPart(document: PdfDocument, indexes: number[], bookmarks: 'keep' | 'none'): PdfDocument {
  hasNumberedTargets(document) // found out here, where all pages are still there
  const part = forkDocument(document)
  if (bookmarks === 'none') writeOutline(part, [])
  selectPages(part, indexes)
  dropAttachments(part)
  if (new Set(indexes).size < document.pageCount) pruneLayers(part)
  return part
}

/** Neighboring pages of a sequence in a small document of their own. */
interface Window {
  document: PdfDocument
  /** Positions in the sequence: the first one, and the one behind the last. */
  start: number
  end: number
  /** Positions in `document` by those in the whole. */
  places: Map<number, number>
  warnings: ReadonlySet<Warning>
}

/**
 * Opens many parts of one document, as `openPart` does, where they follow each other in a sequence of pages. What a
 * part leaves out costs time, so that parts are taken from a document that holds only the neighboring pages.
 */
export class PartSequence {
  private window: Window | undefined

  constructor(
    private readonly document: PdfDocument,
    private readonly sequence: number[],
    private readonly bookmarks: 'keep' | 'none',
  ) {}

  /** The part with `count` pages of the sequence from position `start` (from 0). */
  open(start: number, count: number): PdfDocument {
    const indexes = this.sequence.slice(start, start + count)
    // As many windows as pages of one, weighed by the parts that each serves.
    const width = Math.ceil(Math.sqrt(this.sequence.length * count))
    if (2 * width > this.document.pageCount) return openPart(this.document, indexes, this.bookmarks)
    const window =
      this.window && start >= this.window.start && start + count <= this.window.end
        ? this.window
        : this.openWindow(start, start + width)
    const part = openPart(
      window.document,
      indexes.map(index => window.places.get(index) as number),
      this.bookmarks,
    ) // the window holds them all
    for (const warning of window.warnings) part.warnings.add(warning)
    return part
  }

  private openWindow(start: number, end: number): Window {
    const indexes = [...new Set(this.sequence.slice(start, end))]
    const narrow = openPart(this.document, indexes, this.bookmarks)
    const document = reopenDocument(narrow)
    this.window = {
      document,
      start,
      end,
      places: new Map(indexes.map((index, place) => [index, place])),
      warnings: narrow.warnings,
    }
    return this.window
  }
}

/** Parts of `size` pages; the last one may have fewer. */
export function splitEvery(indexes: number[], size: number): Cut[] {
  return Array.from({ length: Math.ceil(indexes.length / size) }, (_, part) => ({
    indexes: indexes.slice(part * size, (part + 1) * size),
  }))
}

/** As many parts as asked for, as even as can be: the first ones have the page that is left over. */
export function splitIntoParts(indexes: number[], count: number): Cut[] {
  const start = (part: number): number =>
    part * Math.floor(indexes.length / count) + Math.min(part, indexes.length % count)
  return Array.from({ length: count }, (_, part) => ({ indexes: indexes.slice(start(part), start(part + 1)) }))
}

/**
 * Cuts before every page that a bookmark leads to, down to this level (1 is the outermost); a heading that leads
 * nowhere itself counts where the first one below it leads. A part has the title of the first and outermost bookmark of
 * its first page; one without title comes first where pages precede all bookmarks. Empty when no bookmark of these
 * levels leads to a page.
 */
export function splitAtBookmarks(document: PdfDocument, indexes: number[], level: number): Cut[] {
  const titles = titlesByPage(document, level)
  if (titles.size === 0) return []
  const sections: number[] = []
  let section = -1
  for (let index = 0; index < document.pageCount; index++) {
    if (titles.has(index)) section = index
    sections.push(section)
  }
  const cuts: Cut[] = []
  let before: number | undefined
  for (const index of indexes) {
    const own = sections[index] ?? -1
    const title = titles.get(own)
    if (own !== before) cuts.push({ indexes: [], ...(title === undefined ? {} : { title }) })
    cuts.at(-1)?.indexes.push(index)
    before = own
  }
  return cuts
}

function titlesByPage(document: PdfDocument, level: number): Map<number, string> {
  const places = findPlaces(document)
  const titles = new Map<number, string>()
  let row: OutlineItem[] = places.items
  for (let depth = 1; depth <= level; depth++) {
    for (const item of row) {
      const index = places.byItem.get(item)
      if (index !== undefined && !titles.has(index))
        titles.set(index, readTextLine(document.peek(item.dict.get(Name.Title))) ?? 'Untitled')
    }
    row = row.flatMap(item => item.children)
  }
  return titles
}

/**
 * The page that every bookmark leads to; a heading that leads nowhere itself has the place of what comes first below
 * it.
 */
function findPlaces(document: PdfDocument): { items: OutlineItem[]; byItem: Map<OutlineItem, number> } {
  const indexes = new Map(document.pages.map((page, index) => [page.ref, index]))
  const destinations = new Destinations(document)
  const { items, all } = readOutline(document)
  const byItem = new Map<OutlineItem, number>()
  // Parents come before their children: backwards, what is below an item is known.
  for (const item of all.reverse()) {
    const target = destinations.targetOf(item.dict)
    const below = item.children.find(child => byItem.has(child))
    const index = target ? indexes.get(target) : below && byItem.get(below)
    if (index !== undefined) byItem.set(item, index)
  }
  return { items, byItem }
}

/**
 * Parts of as many pages as their files may have bytes; a page that is too large alone is a part of its own. `write`
 * gives the file of `count` pages from a position in `indexes`; it is called a few times a part, more often only where
 * neighboring parts differ much.
 */
export function splitBySize(
  indexes: number[],
  maxBytes: number,
  likelyPages: number,
  write: (start: number, count: number) => Uint8Array,
): Cut[] {
  const cuts: Cut[] = []
  let likely = likelyPages
  for (let start = 0; start < indexes.length; start += likely) {
    const { count, bytes } = growPart(indexes.length - start, maxBytes, likely, count => write(start, count))
    cuts.push({ indexes: indexes.slice(start, start + count), bytes })
    likely = count
  }
  return cuts
}

/**
 * The most pages that fit, by steps that double from the likely number until one fits and another does not, then by
 * halves: about twice the logarithm of the distance in writes.
 */
function growPart(
  pagesLeft: number,
  maxBytes: number,
  likelyPages: number,
  write: (count: number) => Uint8Array,
): { count: number; bytes: Uint8Array } {
  let best: { count: number; bytes: Uint8Array } | undefined
  let fitting = 0
  let over = pagesLeft + 1
  let step = 1
  for (let count = Math.min(Math.max(likelyPages, 1), pagesLeft); ; step *= 2) {
    const bytes = write(count)
    const share = Math.floor((count * maxBytes) / bytes.length)
    if (bytes.length <= maxBytes) fitting = count
    else over = count
    if (fitting === count || count === 1) best = { count, bytes }
    if (best && fitting + 1 >= over) return best
    if (fitting === 0) count = Math.max(1, Math.min(over - step, share))
    else if (over > pagesLeft) count = Math.min(pagesLeft, Math.max(fitting + step, share))
    else count = Math.floor((fitting + over) / 2)
  }
}
