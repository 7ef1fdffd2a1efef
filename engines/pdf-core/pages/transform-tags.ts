import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { readBox, writeBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { mapBox, scaleOf } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { TagIndex } from '../tags/tag-index'
import * as Name from '../syntax/names'

/** Attributes of layout that are lengths in units of user space, or lists of them (ISO 32000-2, 14.8.5.4). */
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

/**
 * Moves what the structure tree says of places and lengths on these pages: the layout attributes of the elements on
 * them.
 */
export function transformTags(document: PdfDocument, matrices: ReadonlyMap<PDFRef, Matrix>): void {
  const tags = TagIndex.read(document)
  if (!tags) return
  const elements = new Map<PDFRef, Matrix>()
  for (const [page, matrix] of matrices)
    for (const ref of listElements(document, tags, page)) if (!elements.has(ref)) elements.set(ref, matrix)
  for (const [ref, matrix] of elements) {
    const given = tags.element(document, ref)?.get(Name.A)
    const attributes = given && transformAttributes(document, given, matrix)
    if (attributes) document.edit(ref).set(Name.A, attributes)
  }
}

/** Elements that name the page, and those above them that name none. */
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
      const own = tags.element(document, ref)?.get(Name.Pg)
      if (found.has(ref) || (own !== undefined && own !== page && !isFirst)) break
      if (own === undefined || own === page) found.add(ref)
      slot = reached.slotOf(tags.parentOf(slot))
      isFirst = false
    }
  }
  return found
}

/** Attributes are a dictionary or a list of them, with numbers of revisions between; undefined when nothing changes. */
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
  const copy = PDFDict.fromMapWithContext(new Map(attributes.entries()), document.context)
  const box = readBox(document, attributes.get(Name.BBox))
  if (box) copy.set(Name.BBox, writeBox(document, mapBox(matrix, box)))
  const scale = scaleOf(matrix)
  const lengths = Math.abs(scale - 1) < 1e-6 ? [] : LENGTHS.filter(key => attributes.has(key))
  for (const key of lengths) copy.set(key, scaleLengths(document, attributes.get(key), scale))
  return box || lengths.length ? copy : undefined
}

/** Names, such as `Auto`, stay. */
function scaleLengths(document: PdfDocument, value: PDFObject | undefined, scale: number): PDFObject {
  const scaled = (item: PDFObject | undefined): PDFObject => {
    const number = document.peekNumber(item)
    return number === undefined
      ? (document.peek(item) ?? document.context.obj(null))
      : PDFNumber.of(Math.round(number * scale * 10_000) / 10_000)
  }
  const list = document.peekArray(value)
  return list ? document.context.obj(list.asArray().map(scaled)) : scaled(value)
}
