import { PDFNull, PDFRef } from 'pdf-lib'
import type { PDFArray } from 'pdf-lib'
import type { Box } from '../geometry/box'
import { pageTarget } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { mapBox, mapPoint, quarterTurnsOf } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { walkDestinations } from './walk-destinations'
import type { DestinationVisitor } from './walk-destinations'
import * as Name from '../syntax/names'
import { roundedNumber } from '../syntax/number-text'

/** A page's matrix, and its visible box in the new user space. */
export interface Move {
  matrix: Matrix
  box: Box
}

/**
 * Transforms the coordinates in destinations together with the content of these pages (ISO 32000-2, 12.3.2). Covers
 * bookmarks, links and other actions, named destinations and the open action. Zoom factors don't change. Call it once
 * for all pages.
 */
export function transformDestinations(document: PdfDocument, moves: ReadonlyMap<PDFRef, Move>): void {
  walkDestinations(document, document.pages, new DestinationMover(document, moves))
}

class DestinationMover implements DestinationVisitor {
  constructor(
    private readonly document: PdfDocument,
    private readonly moves: ReadonlyMap<PDFRef, Move>,
  ) {}

  /**
   * Finds the move for a destination, which begins with a page or with a structure element on one (ISO 32000-2,
   * 12.3.2.3).
   */
  private moveOf(array: PDFArray): Move | undefined {
    const target = pageTarget(this.document, array)
    if (!target) return undefined
    const page = this.moves.has(target) ? target : this.document.peekDict(target)?.get(Name.Pg)
    return page instanceof PDFRef ? this.moves.get(page) : undefined
  }

  visitDestination(owner: PDFRef, array: PDFArray): void {
    const move = this.moveOf(array)
    if (!move) return
    const { document } = this
    const [kind, ...numbers] = array
      .asArray()
      .slice(1)
      .map(item => document.peek(item))
    const places = placesOf(
      kind?.toString() ?? '',
      numbers.map(number => document.peekNumber(number)),
      move,
    )
    if (places.length === 0) return
    document.store.get(owner)
    for (const [index, place] of places.entries()) {
      const value = place === undefined ? PDFNull : roundedNumber(place)
      if (index + 2 < array.size()) array.set(index + 2, value)
      else array.push(value)
    }
  }
}

/**
 * Transforms the numbers of a destination (ISO 32000-2, table 149). Undefined means that the reader keeps its current
 * value. Destinations that fit a width or a height don't change their kind on rotated pages, because readers fit the
 * displayed page.
 */
function placesOf(
  kind: string,
  [one, two, three, four]: (number | undefined)[],
  { matrix, box }: Move,
): (number | undefined)[] {
  const isSideways = quarterTurnsOf(matrix) % 2 === 1
  const mapKnown = (x: number | undefined, y: number | undefined): (number | undefined)[] => {
    const [left, top] = mapPoint(matrix, x ?? 0, y ?? 0)
    const [hasLeft, hasTop] = isSideways ? [y !== undefined, x !== undefined] : [x !== undefined, y !== undefined]
    return [hasLeft ? left : undefined, hasTop ? top : undefined]
  }
  if (kind === '/XYZ') return mapKnown(one, two)
  if (kind === '/FitR' && one !== undefined && two !== undefined && three !== undefined && four !== undefined) {
    const { x, y, width, height } = mapBox(matrix, {
      x: Math.min(one, three),
      y: Math.min(two, four),
      width: Math.abs(three - one),
      height: Math.abs(four - two),
    })
    return [x, y, x + width, y + height]
  }
  // After a quarter turn, the given coordinate is on the other axis. Use the edge of the page as the start.
  if (kind === '/FitH' || kind === '/FitBH') return [isSideways ? box.y + box.height : mapKnown(undefined, one)[1]]
  if (kind === '/FitV' || kind === '/FitBV') return [isSideways ? box.x : mapKnown(one, undefined)[0]]
  return []
}
