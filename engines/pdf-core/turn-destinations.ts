import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from './annotations'
import { replaceNames } from './destinations'
import type { PdfDocument } from './document'
import { readNameTree } from './name-tree'
import { readOutline } from './outline'
import type { Turn } from './turn'

const A = PDFName.of('A')
const AA = PDFName.of('AA')
const PA = PDFName.of('PA')
const D = PDFName.of('D')
const S = PDFName.of('S')
const DEST = PDFName.of('Dest')
const DESTS = PDFName.of('Dests')
const NAMES = PDFName.of('Names')
const NEXT = PDFName.of('Next')
const ANNOTS = PDFName.of('Annots')
const OPEN_ACTION = PDFName.of('OpenAction')
const GO_TO = PDFName.of('GoTo')

/**
 * Turns the places on turned pages that anything leads to: bookmarks, links and other actions, named destinations and
 * what is shown first. Call it once for all pages that were turned, by their references.
 */
export function turnDestinations(document: PdfDocument, turns: ReadonlyMap<PDFRef, Turn>): void {
  const turner = new DestinationTurner(document, turns)
  for (const { ref, dict } of readOutline(document).all) turner.turnItem(ref, dict)
  for (const page of document.pages) {
    turner.turnTriggers(page.ref, page.dict.get(AA))
    const list = page.dict.get(ANNOTS)
    for (const annotation of annotationsOf(document, page)) {
      const dict = document.peekDict(annotation)
      if (dict) turner.turnItem(annotation instanceof PDFRef ? annotation : list instanceof PDFRef ? list : page.ref, dict)
    }
  }
  const { catalog, rootRef } = document
  turner.turn(rootRef, catalog.get(OPEN_ACTION))
  turner.turnTriggers(rootRef, catalog.get(AA))
  const old = catalog.get(DESTS)
  for (const value of document.peekDict(old)?.values() ?? []) turner.turn(old instanceof PDFRef ? old : rootRef, value)
  turner.turnNames()
}

/** A value that is a destination or an action, and the indirect object in which it stands. */
interface Place {
  owner: PDFRef
  value: PDFObject | undefined
}

class DestinationTurner {
  /** Indirect objects that were looked at: many places may share one. */
  private readonly seen = new Set<PDFRef>()

  constructor(private readonly document: PdfDocument, private readonly turns: ReadonlyMap<PDFRef, Turn>) {}

  /** Whatever a bookmark or an annotation does. */
  turnItem(owner: PDFRef, item: PDFDict): void {
    for (const key of [DEST, A, PA]) this.turn(owner, item.get(key))
    this.turnTriggers(owner, item.get(AA))
  }

  /** Actions by what sets them off. */
  turnTriggers(owner: PDFRef, value: PDFObject | undefined): void {
    const triggers = this.document.peekDict(value)
    for (const action of triggers?.values() ?? []) this.turn(value instanceof PDFRef ? value : owner, action)
  }

  /** A destination or an action, with all actions that follow it. Names stand for themselves. */
  turn(owner: PDFRef, value: PDFObject | undefined): void {
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
        if (!this.turnArray(holder, object)) for (const item of object.asArray()) if (document.peekDict(item)?.has(S)) stack.push({ owner: holder, value: item })
      } else if (object instanceof PDFDict) {
        const isAction = object.has(S)
        if (!isAction || document.peek(object.get(S)) === GO_TO) stack.push({ owner: holder, value: object.get(D) })
        if (isAction) stack.push({ owner: holder, value: object.get(NEXT) })
      }
    }
  }

  /** Named destinations; those that stand in the tree itself are taken out of it, so that they have an owner. */
  turnNames(): void {
    const { document } = this
    const entries = readNameTree(document, document.peekDict(document.catalog.get(NAMES))?.get(DESTS))
    const owned = entries.map(entry => (this.standsHere(entry.value) ? { ...entry, value: document.register(entry.value) } : entry))
    for (const { value } of owned) if (value instanceof PDFRef) this.turn(value, value)
    if (owned.some((entry, index) => entry !== entries[index])) replaceNames(document, DESTS, owned)
  }

  /** Whether a destination on a turned page is written out here and not somewhere else. */
  private standsHere(value: PDFObject): boolean {
    const array = value instanceof PDFDict ? value.get(D) : value
    const page = array instanceof PDFArray && array.size() > 0 ? array.get(0) : undefined
    return page instanceof PDFRef && this.turns.has(page)
  }

  /** Gives whether the array is a destination on a page that was turned. */
  private turnArray(holder: PDFRef, array: PDFArray): boolean {
    const page = array.size() > 0 ? array.get(0) : undefined
    const turn = page instanceof PDFRef ? this.turns.get(page) : undefined
    if (!turn) return false
    const { document } = this
    const [kind, ...numbers] = array.asArray().slice(1).map(item => document.peek(item))
    const places = placesOf(kind?.toString() ?? '', numbers.map(number => document.peekNumber(number)), turn)
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
 * The numbers of a destination (ISO 32000-2, table 149) on the turned page; undefined for what stays as the reader has
 * it. What fits a width or a height still does, since readers fit the page as seen: only the place is turned.
 */
function placesOf(kind: string, [one, two, three, four]: (number | undefined)[], turn: Turn): (number | undefined)[] {
  const known = (x: number | undefined, y: number | undefined): (number | undefined)[] => {
    const [left, top] = turn.point(x ?? 0, y ?? 0)
    const [hasLeft, hasTop] = turn.isQuarter ? [y !== undefined, x !== undefined] : [x !== undefined, y !== undefined]
    return [hasLeft ? left : undefined, hasTop ? top : undefined]
  }
  if (kind === '/XYZ') return known(one, two)
  if (kind === '/FitR' && one !== undefined && two !== undefined && three !== undefined && four !== undefined) {
    const { x, y, width, height } = turn.box({ x: Math.min(one, three), y: Math.min(two, four), width: Math.abs(three - one), height: Math.abs(four - two) })
    return [x, y, x + width, y + height]
  }
  // A height that became a place from the left says nothing of where to begin: at the edge, then.
  if (kind === '/FitH' || kind === '/FitBH') return [turn.isQuarter ? turn.turned.y + turn.turned.height : known(undefined, one)[1]]
  if (kind === '/FitV' || kind === '/FitBV') return [turn.isQuarter ? turn.turned.x : known(one, undefined)[0]]
  return []
}
