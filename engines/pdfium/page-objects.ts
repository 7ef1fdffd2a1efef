import { IDENTITY, chainMatrices } from '../pdf-core/geometry/matrix'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { Pdfium } from './pdfium'

/** FPDF_PAGEOBJ_*: types of page objects. */
export const [TEXT, PATH, IMAGE, FORM] = [1, 2, 3, 5]

/** An object on a page, or in a form XObject of the page. */
export interface PageObject {
  /** PDFium's object. */
  object: number
  /** PDFium's type of the object. */
  kind: number
  /** Maps the space in which the object is drawn to the space of the page. */
  matrix: Matrix
  depth: number
  /** The form XObject that contains the object. */
  form: PageObject | undefined
}

/** Maximum number of page objects to visit, and maximum nesting of form XObjects. */
const MAX_OBJECTS = 100_000
const MAX_FORM_DEPTH = 12

/**
 * Yields the objects of a loaded page in painting order. `place` is the address of 32 free bytes, which the caller may
 * use between the objects.
 */
export function* visitObjects(pdfium: Pdfium, page: number, place: number): Generator<PageObject> {
  const stack: Omit<PageObject, 'kind'>[] = []
  /** Pushes objects so that the first one is on top of the stack. */
  const push = (count: number, find: (index: number) => number, around: Omit<PageObject, 'kind' | 'object'>): void => {
    for (let index = Math.min(count, MAX_OBJECTS) - 1; index >= 0; index--)
      stack.push({ ...around, object: find(index) })
  }
  push(pdfium.FPDFPage_CountObjects(page), index => pdfium.FPDFPage_GetObject(page, index), {
    matrix: IDENTITY,
    depth: 0,
    form: undefined,
  })
  let count = 0
  for (let next = stack.pop(); next && count < MAX_OBJECTS; next = stack.pop()) {
    count++
    const item = { ...next, kind: pdfium.FPDFPageObj_GetType(next.object) }
    yield item
    const { object, kind, depth } = item
    if (kind !== FORM || depth >= MAX_FORM_DEPTH || !pdfium.FPDFPageObj_GetMatrix(object, place)) continue
    const own = [0, 4, 8, 12, 16, 20].map(at => pdfium.pdfium.getValue(place + at, 'float')) as Matrix // six numbers
    push(pdfium.FPDFFormObj_CountObjects(object), index => pdfium.FPDFFormObj_GetObject(object, index), {
      matrix: chainMatrices(own, item.matrix),
      depth: depth + 1,
      form: item,
    })
  }
}

/** The bounds of an object in the space in which it is drawn. `place` is the address of 16 free bytes. */
export function boundsOf(
  pdfium: Pdfium,
  object: number,
  place: number,
): [left: number, bottom: number, right: number, top: number] | undefined {
  if (!pdfium.FPDFPageObj_GetBounds(object, place, place + 4, place + 8, place + 12)) return undefined
  const numberAt = (at: number): number => pdfium.pdfium.getValue(place + at, 'float')
  return [numberAt(0), numberAt(4), numberAt(8), numberAt(12)]
}
