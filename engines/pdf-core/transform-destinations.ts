import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from './annotations'
import { replaceNames } from './destinations'
import type { PdfDocument } from './document'
import type { Matrix } from './frame'
import { mapBoxAround, mapPoint, quarterTurnsOf } from './matrix'
import { readNameTree } from './name-tree'
import { readOutline } from './outline'

const DESTS = PDFName.of('Dests')
const NAMES = PDFName.of('Names')
const DEST = PDFName.of('Dest')
const D = PDFName.of('D')
const A = PDFName.of('A')
const AA = PDFName.of('AA')
const NEXT = PDFName.of('Next')
const OPEN_ACTION = PDFName.of('OpenAction')

/** Actions that one thing may set off one behind the other and that are followed. */
const MAX_ACTIONS = 64

/**
 * Moves the places that links, bookmarks, named destinations and actions lead to along with the content of these pages
 * (ISO 32000-2, 12.3.2). Magnifications stay what they are.
 */
export function transformDestinations(document: PdfDocument, matrices: ReadonlyMap<PDFRef, Matrix>): void {
  const places = new Places(document, matrices)
  for (const page of document.pages) {
    if (page.dict.has(AA)) places.moveOwner(page.ref)
    for (const annotation of annotationsOf(document, page)) if (annotation instanceof PDFRef) places.moveOwner(annotation)
  }
  for (const item of readOutline(document).all) places.moveOwner(item.ref)
  const opening = document.catalog.get(OPEN_ACTION)
  const moved = places.movedValue(opening)
  if (moved) document.editCatalog().set(OPEN_ACTION, moved)
  moveNamed(document, places)
}

function moveNamed(document: PdfDocument, places: Places): void {
  const entries = readNameTree(document, document.peekDict(document.catalog.get(NAMES))?.get(DESTS))
  const moved = entries.map(entry => ({ key: entry.key, value: places.movedValue(entry.value) ?? entry.value }))
  if (moved.some((entry, at) => entry.value !== entries[at]?.value)) replaceNames(document, DESTS, moved)
  const old = document.peekDict(document.catalog.get(DESTS))
  for (const [key, value] of old?.entries() ?? []) {
    const replaced = places.movedValue(value)
    if (replaced) document.editDict(document.rootRef, DESTS)?.set(key, replaced)
  }
}

/** Destinations as they are found; each is moved once, however many lead there. */
class Places {
  /** Objects that were replaced or looked at already. */
  private readonly done = new Set<PDFObject>()

  constructor(private readonly document: PdfDocument, private readonly matrices: ReadonlyMap<PDFRef, Matrix>) {}

  /** Moves what an annotation, a bookmark or a page leads to: its /Dest and its actions. */
  moveOwner(ref: PDFRef): void {
    const { document } = this
    const dict = document.peekDict(ref)
    if (!dict || this.done.has(ref)) return
    this.done.add(ref)
    const changes: [PDFName, PDFObject][] = []
    for (const key of [DEST, A]) {
      const moved = dict.has(key) ? this.movedValue(dict.get(key)) : undefined
      if (moved) changes.push([key, moved])
    }
    const triggers = document.peekDict(dict.get(AA))
    if (triggers) {
      const copy = PDFDict.fromMapWithContext(new Map(triggers.entries()), document.context)
      const moved = triggers.entries().flatMap(([key, value]) => [[key, this.movedValue(value)] as const]).filter(([, value]) => value)
      for (const [key, value] of moved) if (value) copy.set(key, value)
      if (moved.length) changes.push([AA, copy])
    }
    if (changes.length === 0) return
    const edited = document.edit(ref)
    for (const [key, value] of changes) edited.set(key, value)
  }

  /**
   * A destination, a dictionary that holds one, or an action with those behind it, moved. What is behind a reference is
   * replaced there, and the answer is undefined; so it is when nothing moves.
   */
  movedValue(value: PDFObject | undefined): PDFObject | undefined {
    const { document } = this
    const object = document.peek(value)
    if (value instanceof PDFRef) {
      if (this.done.has(value)) return undefined
      this.done.add(value)
    }
    const moved = object instanceof PDFArray ? this.movedArray(object) : object instanceof PDFDict ? this.movedAction(object) : undefined
    if (!moved || !(value instanceof PDFRef)) return moved
    document.store.set(value, moved)
    return undefined
  }

  /** Follows /Next without recursion: the actions are collected first and replaced from the last one on. */
  private movedAction(first: PDFDict): PDFDict | undefined {
    const { document } = this
    const target = first.get(D)
    const moved = this.movedTarget(target)
    const next = this.movedNext(first.get(NEXT))
    if (!moved && !next) return undefined
    const copy = PDFDict.fromMapWithContext(new Map(first.entries()), document.context)
    if (moved) copy.set(D, moved)
    if (next) copy.set(NEXT, next)
    return copy
  }

  private movedTarget(value: PDFObject | undefined): PDFObject | undefined {
    const array = this.document.peek(value)
    const moved = array instanceof PDFArray ? this.movedArray(array) : undefined
    if (!moved || !(value instanceof PDFRef)) return moved
    if (!this.done.has(value)) this.document.store.set(value, moved)
    this.done.add(value)
    return undefined
  }

  private movedNext(value: PDFObject | undefined): PDFObject | undefined {
    const { document } = this
    const chain: { value: PDFObject; dict: PDFDict }[] = []
    let next = value
    // A list of actions is rare, and its members are not looked behind.
    while (next && chain.length < MAX_ACTIONS) {
      const dict: PDFObject | undefined = document.peek(next)
      if (!(dict instanceof PDFDict) || (next instanceof PDFRef && this.done.has(next))) break
      if (next instanceof PDFRef) this.done.add(next)
      chain.push({ value: next, dict })
      next = dict.get(NEXT)
    }
    let behind: PDFObject | undefined
    for (const action of chain.toReversed()) {
      const moved = this.movedTarget(action.dict.get(D))
      const copy = moved || behind ? PDFDict.fromMapWithContext(new Map(action.dict.entries()), document.context) : undefined
      if (moved) copy?.set(D, moved)
      if (behind) copy?.set(NEXT, behind)
      behind = copy
      if (copy && action.value instanceof PDFRef) {
        document.store.set(action.value, copy)
        behind = undefined
      }
    }
    return behind
  }

  /** A destination array with its numbers mapped; undefined when its page does not move or it names no place on it. */
  private movedArray(array: PDFArray): PDFArray | undefined {
    const { document } = this
    const items = array.asArray()
    const [page, kind] = [items[0], document.peek(items[1])]
    const matrix = page instanceof PDFRef ? this.matrices.get(page) : undefined
    if (!page || !matrix || !(kind instanceof PDFName)) return undefined
    const numbers = items.slice(2).map(item => document.peekNumber(item))
    const mapped = mapPlace(kind.decodeText(), numbers, matrix)
    if (!mapped) return undefined
    return document.context.obj([page, PDFName.of(mapped.kind), ...mapped.numbers.map(number => (number === undefined ? null : PDFNumber.of(Math.round(number * 10_000) / 10_000)))])
  }
}

interface Place {
  kind: string
  /** Undefined is null: what the reader shows now. */
  numbers: (number | undefined)[]
}

/** A place on the page by the name of its kind; undefined when it stays as it is. */
function mapPlace(kind: string, numbers: (number | undefined)[], matrix: Matrix): Place | undefined {
  const [first, second, third, fourth] = numbers
  const isSideways = quarterTurnsOf(matrix) % 2 === 1
  if (kind === 'XYZ') {
    if (first === undefined && second === undefined) return undefined
    const [x, y] = mapPoint(matrix, first ?? 0, second ?? 0)
    const [knowsX, knowsY] = isSideways ? [second !== undefined, first !== undefined] : [first !== undefined, second !== undefined]
    return { kind, numbers: [knowsX ? x : undefined, knowsY ? y : undefined, third] }
  }
  if (kind === 'FitR') {
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) return undefined
    const box = mapBoxAround(matrix, { x: Math.min(first, third), y: Math.min(second, fourth), width: Math.abs(third - first), height: Math.abs(fourth - second) })
    return { kind, numbers: [box.x, box.y, box.x + box.width, box.y + box.height] }
  }
  const letters = /^Fit(B?)([HV])$/.exec(kind)
  if (!letters || first === undefined) return undefined
  const isVertical = letters[2] === 'V'
  const [x, y] = isVertical ? mapPoint(matrix, first, 0) : mapPoint(matrix, 0, first)
  const becomesVertical = isVertical !== isSideways
  return { kind: `Fit${letters[1] ?? ''}${becomesVertical ? 'V' : 'H'}`, numbers: [becomesVertical ? x : y] }
}
