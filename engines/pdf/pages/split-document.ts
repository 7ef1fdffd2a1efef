import type { Warning } from '../../types'
import { dropAttachments } from '../structure/attachments'
import { selectPages } from './select-pages'
import { Destinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { forkDocument } from '../open-save/open'
import { hasNumberedTargets, resolveNumberedTargets } from './page-number-targets'
import { readOutline, writeOutline } from '../structure/outline'
import type { OutlineItem } from '../structure/outline'
import { pruneLayers } from '../structure/prune-layers'
import { reopenDocument } from '../open-save/reopen'
import { readTextLine } from '../syntax/text-string'
import type { WrittenFile } from '../writer/written-file'
import * as Name from '../syntax/names'
import { PAGES_IN_FILE } from '../document/page-tree'

/** One part of a split document. */
export interface Cut {
  /** Positions of its pages in the document, from 0, in order. */
  indexes: number[]
  /** Title of the bookmark at which the part begins. */
  title?: string
  /** The written part, if splitting needed its size. */
  file?: WrittenFile
}

/**
 * Prepares a document for splitting. If its page tree had to be rebuilt, the document is written and opened again.
 * Otherwise every part would read the damaged tree again, perhaps with a different result. The same applies if anything
 * refers to pages by number, because every part would have to search for these numbers.
 */
export function prepareToSplit(document: PdfDocument): PdfDocument {
  if (document.facts.get(PAGES_IN_FILE)?.isSound && !hasNumberedTargets(document)) return document
  resolveNumberedTargets(document, document.pages)
  return reopenDocument(document)
}

/** Opens a new document with only these pages. Removes files that are attached to the whole document. */
export function openPart(document: PdfDocument, indexes: number[], bookmarks: 'keep' | 'none'): PdfDocument {
  hasNumberedTargets(document) // cache this while all pages are present
  const part = forkDocument(document)
  if (bookmarks === 'none') writeOutline(part, [])
  selectPages(part, indexes)
  dropAttachments(part)
  if (new Set(indexes).size < document.pageCount) pruneLayers(part)
  return part
}

/** A small document with neighboring pages of a sequence. */
interface Window {
  document: PdfDocument
  /** Range of positions in the sequence. `end` is exclusive. */
  start: number
  end: number
  /** Positions in this document by positions in the original document. */
  places: Map<number, number>
  warnings: ReadonlySet<Warning>
}

/**
 * Opens many parts of one document, like `openPart`, for parts that follow each other in a sequence of pages. Opening a
 * part takes time for every page that it leaves out. So parts are taken from a window, a document with only the
 * neighboring pages.
 */
export class PartSequence {
  private window: Window | undefined

  constructor(
    private readonly document: PdfDocument,
    private readonly sequence: number[],
    private readonly bookmarks: 'keep' | 'none',
  ) {}

  /** Opens the part with `count` pages of the sequence, beginning at position `start` (from 0). */
  open(start: number, count: number): PdfDocument {
    const indexes = this.sequence.slice(start, start + count)
    // This width balances the number of windows against the number of pages in each window.
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
    ) // the window has all these pages
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

/** Splits into parts of `size` pages. The last part may have fewer. */
export function splitEvery(indexes: number[], size: number): Cut[] {
  return Array.from({ length: Math.ceil(indexes.length / size) }, (_, part) => ({
    indexes: indexes.slice(part * size, (part + 1) * size),
  }))
}

/** Splits into `count` parts of equal size. If the pages don't divide evenly, the first parts have one page more. */
export function splitIntoParts(indexes: number[], count: number): Cut[] {
  const start = (part: number): number =>
    part * Math.floor(indexes.length / count) + Math.min(part, indexes.length % count)
  return Array.from({ length: count }, (_, part) => ({ indexes: indexes.slice(start(part), start(part + 1)) }))
}

/**
 * Splits before every page that a bookmark down to this level leads to (1 is the top level). A heading without a
 * destination counts as leading to the target of its first descendant. The title of a part comes from the first
 * bookmark of the highest level on its first page. Pages before all bookmarks form a first part without a title. Empty
 * if no bookmark of these levels leads to a page.
 */
export function splitAtBookmarks(document: PdfDocument, indexes: number[], level: number): Cut[] {
  const titles = titlesByPage(document, level)
  if (titles.size === 0) return []
  const sections: number[] = []
  let currentSection = -1
  for (let index = 0; index < document.pageCount; index++) {
    if (titles.has(index)) currentSection = index
    sections.push(currentSection)
  }
  const cuts: Cut[] = []
  let previousSection: number | undefined
  for (const index of indexes) {
    const section = sections[index] ?? -1
    const title = titles.get(section)
    if (section !== previousSection) cuts.push({ indexes: [], ...(title === undefined ? {} : { title }) })
    cuts.at(-1)?.indexes.push(index)
    previousSection = section
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

/** The page that every bookmark leads to. A heading without a destination gets the page of its first descendant. */
function findPlaces(document: PdfDocument): { items: OutlineItem[]; byItem: Map<OutlineItem, number> } {
  const indexes = new Map(document.pages.map((page, index) => [page.ref, index]))
  const destinations = new Destinations(document)
  const { items, all } = readOutline(document)
  const byItem = new Map<OutlineItem, number>()
  // Parents come before their children in the list. Go backwards, so that the children are done first.
  for (const item of all.reverse()) {
    const target = destinations.targetOf(item.dict)
    const below = item.children.find(child => byItem.has(child))
    const index = target ? indexes.get(target) : below && byItem.get(below)
    if (index !== undefined) byItem.set(item, index)
  }
  return { items, byItem }
}

/**
 * Splits into parts whose files have at most `maxBytes`, with as many pages as fit. A single page that is too large is
 * a part by itself. `write` returns the file of `count` pages from a position in `indexes`. It runs a few times for
 * each part, and more often if neighboring parts differ a lot in size.
 */
export function splitBySize(
  indexes: number[],
  maxBytes: number,
  likelyPages: number,
  write: (start: number, count: number) => WrittenFile,
): Cut[] {
  const cuts: Cut[] = []
  let likely = likelyPages
  for (let start = 0; start < indexes.length; start += likely) {
    const { count, file } = growPart(indexes.length - start, maxBytes, likely, count => write(start, count))
    cuts.push({ indexes: indexes.slice(start, start + count), file })
    likely = count
  }
  return cuts
}

/**
 * Finds the largest number of pages that fits. Doubles the step from the likely number until one number fits and
 * another doesn't, then bisects. Writes about twice the logarithm of the distance from the likely number.
 */
function growPart(
  pagesLeft: number,
  maxBytes: number,
  likelyPages: number,
  write: (count: number) => WrittenFile,
): { count: number; file: WrittenFile } {
  let best: { count: number; file: WrittenFile } | undefined
  let fitting = 0
  let over = pagesLeft + 1
  let step = 1
  for (let count = Math.min(Math.max(likelyPages, 1), pagesLeft); ; step *= 2) {
    const file = write(count)
    const share = Math.floor((count * maxBytes) / file.byteLength)
    if (file.byteLength <= maxBytes) fitting = count
    else over = count
    if (fitting === count || count === 1) best = { count, file }
    if (best && fitting + 1 >= over) return best
    if (fitting === 0) count = Math.max(1, Math.min(over - step, share))
    else if (over > pagesLeft) count = Math.min(pagesLeft, Math.max(fitting + step, share))
    else count = Math.floor((fitting + over) / 2)
  }
}
