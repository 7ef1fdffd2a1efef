import { PDFArray, PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { readBox, writeBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { mapBox, scaleOf } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { TagIndex } from '../tags/tag-index'
import * as Name from '../syntax/names'
import { roundedNumber } from '../syntax/number-text'
import { copyDict } from '../document/object-copies'

/** Layout attributes with lengths in user space units, or lists of lengths (ISO 32000-2, 14.8.5.4). */
const LENGTHS = [
  ...[
    'SpaceBefore',
    'SpaceAfter',
    'StartIndent',
    'EndIndent',
    'TextIndent',
    'Width',
    'Height',
    'Padding',
    'TPadding',
    'BorderThickness',
  ],
  ...['BaselineShift', 'LineHeight', 'TextDecorationThickness', 'ColumnGap', 'ColumnWidths'],
].map(name => PDFName.of(name))

/** Transforms coordinates and lengths in the structure tree: the layout attributes of elements on these pages. */
export function transformTags(document: PdfDocument, matrices: ReadonlyMap<PDFRef, Matrix>): void {
  const tags = TagIndex.read(document)
  if (!tags) return
  const elements = new Map<PDFRef, Matrix>()
  for (const [page, matrix] of matrices)
    for (const ref of listElements(document, tags, page)) if (!elements.has(ref)) elements.set(ref, matrix)
  for (const [ref, matrix] of elements) {
    const value = tags.element(document, ref)?.get(Name.A)
    const attributes = value && transformAttributes(document, value, matrix)
    if (attributes) document.edit(ref).set(Name.A, attributes)
  }
}

/** Finds the structure elements with this page as /Pg, and their ancestors without /Pg. */
function listElements(document: PdfDocument, tags: TagIndex, page: PDFRef): Iterable<PDFRef> {
  const { reached } = tags
  const slots: number[] = []
  tags.eachMention(page.objectNumber, slot => {
    if (tags.isItem(document, slot)) tags.eachMention(reached.refOf(slot).objectNumber, above => slots.push(above))
    else slots.push(slot)
  })
  const found = new Set<PDFRef>()
  for (const start of slots) {
    let [slot, isFirst] = [start, true]
    while (slot >= 0 && tags.isElement(document, slot)) {
      const ref = reached.refOf(slot)
      const elementPage = tags.element(document, ref)?.get(Name.Pg)
      if (found.has(ref) || (elementPage !== undefined && elementPage !== page && !isFirst)) break
      if (elementPage === undefined || elementPage === page) found.add(ref)
      slot = reached.slotOf(tags.parentOf(slot))
      isFirst = false
    }
  }
  return found
}

/** Transforms an attribute dictionary, or an array of them with revision numbers. Undefined if nothing changes. */
function transformAttributes(document: PdfDocument, value: PDFObject, matrix: Matrix): PDFObject | undefined {
  const list = document.peek(value)
  if (!(list instanceof PDFArray)) return transformLayout(document, value, matrix)
  const changed = list.asArray().map(item => transformLayout(document, item, matrix))
  return changed.some(Boolean)
    ? document.context.obj(list.asArray().map((item, index) => changed[index] ?? item))
    : undefined
}

function transformLayout(document: PdfDocument, value: PDFObject, matrix: Matrix): PDFDict | undefined {
  const attributes = document.peekDict(value)
  if (!attributes || document.peek(attributes.get(Name.O)) !== Name.Layout) return undefined
  const copy = copyDict(document, attributes)
  const box = readBox(document, attributes.get(Name.BBox))
  if (box) copy.set(Name.BBox, writeBox(document, mapBox(matrix, box)))
  const scale = scaleOf(matrix)
  const lengths = Math.abs(scale - 1) < 1e-6 ? [] : LENGTHS.filter(key => attributes.has(key))
  for (const key of lengths) copy.set(key, scaleLengths(document, attributes.get(key), scale))
  return box || lengths.length ? copy : undefined
}

/** Scales lengths. Names, such as `Auto`, don't change. */
function scaleLengths(document: PdfDocument, value: PDFObject | undefined, scale: number): PDFObject {
  const scaled = (item: PDFObject | undefined): PDFObject => {
    const number = document.peekNumber(item)
    return number === undefined ? (document.peek(item) ?? document.context.obj(null)) : roundedNumber(number * scale)
  }
  const list = document.peekArray(value)
  return list ? document.context.obj(list.asArray().map(scaled)) : scaled(value)
}
