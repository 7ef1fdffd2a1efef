import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from './annotations'
import type { Box } from './box'
import { replaceNames } from './destinations'
import type { PdfDocument } from './document'
import { mapBox, mapPoint, quarterTurnsOf } from './matrix'
import type { Matrix } from './matrix'
import { readNameTree } from './name-tree'
import { readOutline } from './outline'

const A = PDFName.of('A')
const AA = PDFName.of('AA')
const PA = PDFName.of('PA')
const D = PDFName.of('D')
const SD = PDFName.of('SD')
const S = PDFName.of('S')
const PG = PDFName.of('Pg')
const DEST = PDFName.of('Dest')
const DESTS = PDFName.of('Dests')
const NAMES = PDFName.of('Names')
const NEXT = PDFName.of('Next')
const ANNOTS = PDFName.of('Annots')
const OPEN_ACTION = PDFName.of('OpenAction')
const GO_TO = PDFName.of('GoTo')

/** A page's matrix, and the box that it shows in its new user space. */
export interface Move {
  matrix: Matrix
  box: Box
}

/**
 * Moves the places that bookmarks, links and other actions, named destinations and what is shown first lead to along with
 * the content of these pages (ISO 32000-2, 12.3.2). Magnifications stay what they are. Call it once for all pages.
 */
export function transformDestinations(document: PdfDocument, moves: ReadonlyMap<PDFRef, Move>): void {
  const mover = new DestinationMover(document, moves)
  for (const { ref, dict } of readOutline(document).all) mover.moveItem(ref, dict)
  for (const page of document.pages) {
    mover.moveTriggers(page.ref, page.dict.get(AA))
    const list = page.dict.get(ANNOTS)
    for (const annotation of annotationsOf(document, page)) {
      const dict = document.peekDict(annotation)
      if (dict) mover.moveItem(annotation instanceof PDFRef ? annotation : list instanceof PDFRef ? list : page.ref, dict)
    }
  }
  const { catalog, rootRef } = document
  mover.move(rootRef, catalog.get(OPEN_ACTION))
  mover.moveTriggers(rootRef, catalog.get(AA))
  const old = catalog.get(DESTS)
  for (const value of document.peekDict(old)?.values() ?? []) mover.move(old instanceof PDFRef ? old : rootRef, value)
  mover.moveNames()
}

/** A value that is a destination or an action, and the indirect object in which it stands. */
interface Place {
  owner: PDFRef
  value: PDFObject | undefined
}

class DestinationMover {
  /** Indirect objects that were looked at: many places may share one. */
  private readonly seen = new Set<PDFRef>()

  constructor(private readonly document: PdfDocument, private readonly moves: ReadonlyMap<PDFRef, Move>) {}

  /** Whatever a bookmark or an annotation does. */
  moveItem(owner: PDFRef, item: PDFDict): void {
    for (const key of [DEST, A, PA]) this.move(owner, item.get(key))
    this.moveTriggers(owner, item.get(AA))
  }

  /** Actions by what sets them off. */
  moveTriggers(owner: PDFRef, value: PDFObject | undefined): void {
    const triggers = this.document.peekDict(value)
    for (const action of triggers?.values() ?? []) this.move(value instanceof PDFRef ? value : owner, action)
  }

  /** A destination or an action, with all actions that follow it. Names stand for themselves. */
  move(owner: PDFRef, value: PDFObject | undefined): void {
    const { document } = this
    const stack: Place[] = [{ owner, value }]
    for (let place = stack.pop(); place; place = stack.pop()) {
      if (place.value instanceof PDFRef) {
        if (this.seen.has(place.value)) continue
        this.seen.add(place.value)
      }
      const holder = place.value instanceof PDFRef ? place.value : place.owner
      const object = document.peek(place.value)
      if (object instanceof PDFArray) {
        if (!this.moveArray(holder, object)) for (const item of object.asArray()) if (document.peekDict(item)?.has(S)) stack.push({ owner: holder, value: item })
      } else if (object instanceof PDFDict) {
        const isAction = object.has(S)
        if (!isAction || document.peek(object.get(S)) === GO_TO) for (const key of [D, SD]) stack.push({ owner: holder, value: object.get(key) })
        if (isAction) stack.push({ owner: holder, value: object.get(NEXT) })
      }
    }
  }

  /** Named destinations; those that stand in the tree itself are taken out of it, so that they have an owner. */
  moveNames(): void {
    const { document } = this
    const entries = readNameTree(document, document.peekDict(document.catalog.get(NAMES))?.get(DESTS))
    const owned = entries.map(entry => (this.standsHere(entry.value) ? { ...entry, value: document.register(entry.value) } : entry))
    for (const { value } of owned) if (value instanceof PDFRef) this.move(value, value)
    if (owned.some((entry, index) => entry !== entries[index])) replaceNames(document, DESTS, owned)
  }

  /** Whether a destination on a page that moves is written out here and not somewhere else. */
  private standsHere(value: PDFObject): boolean {
    const array = value instanceof PDFDict ? value.get(D) : value
    return array instanceof PDFArray && this.moveOf(array) !== undefined
  }

  /** A destination begins with its page, or with an element of the structure that is on one (ISO 32000-2, 12.3.2.3). */
  private moveOf(array: PDFArray): Move | undefined {
    const target = array.size() > 0 ? array.get(0) : undefined
    if (!(target instanceof PDFRef)) return undefined
    const page = this.moves.has(target) ? target : this.document.peekDict(target)?.get(PG)
    return page instanceof PDFRef ? this.moves.get(page) : undefined
  }

  /** Gives whether the array is a destination on a page that moves. */
  private moveArray(holder: PDFRef, array: PDFArray): boolean {
    const move = this.moveOf(array)
    if (!move) return false
    const { document } = this
    const [kind, ...numbers] = array.asArray().slice(1).map(item => document.peek(item))
    const places = placesOf(kind?.toString() ?? '', numbers.map(number => document.peekNumber(number)), move)
    if (places.length === 0) return true
    document.store.get(holder)
    for (const [index, place] of places.entries()) {
      const value = place === undefined ? PDFNull : PDFNumber.of(Math.round(place * 10_000) / 10_000 || 0)
      if (index + 2 < array.size()) array.set(index + 2, value)
      else array.push(value)
    }
    return true
  }
}

/**
 * The numbers of a destination (ISO 32000-2, table 149) where the matrix puts them; undefined for what stays as the reader
 * has it. What fits a width or a height still does where a page is turned, since readers fit the page as seen.
 */
function placesOf(kind: string, [one, two, three, four]: (number | undefined)[], { matrix, box }: Move): (number | undefined)[] {
  const isSideways = quarterTurnsOf(matrix) % 2 === 1
  const known = (x: number | undefined, y: number | undefined): (number | undefined)[] => {
    const [left, top] = mapPoint(matrix, x ?? 0, y ?? 0)
    const [hasLeft, hasTop] = isSideways ? [y !== undefined, x !== undefined] : [x !== undefined, y !== undefined]
    return [hasLeft ? left : undefined, hasTop ? top : undefined]
  }
  if (kind === '/XYZ') return known(one, two)
  if (kind === '/FitR' && one !== undefined && two !== undefined && three !== undefined && four !== undefined) {
    const { x, y, width, height } = mapBox(matrix, { x: Math.min(one, three), y: Math.min(two, four), width: Math.abs(three - one), height: Math.abs(four - two) })
    return [x, y, x + width, y + height]
  }
  // A height that became a place from the left says nothing of where to begin: at the edge, then.
  if (kind === '/FitH' || kind === '/FitBH') return [isSideways ? box.y + box.height : known(undefined, one)[1]]
  if (kind === '/FitV' || kind === '/FitBV') return [isSideways ? box.x : known(one, undefined)[0]]
  return []
}
