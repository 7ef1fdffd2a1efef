import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Matrix } from '../pdf-core/geometry/matrix'
import { writeNumbers } from '../pdf-core/syntax/number-text'
import { addContentStream } from '../pdf-core/content/page-content'
import type { MarkSize } from './placement'
import * as Name from '../pdf-core/syntax/names'

/** Something that is drawn from its lower-left corner at 0,0, in points. */
export interface Graphic extends MarkSize {
  operators: string
  resources: PDFDict
  /** Points by which it may reach over its box. */
  bleed: number
}

/** Several at once are drawn by their name instead of by their operators. */
const NAMED_FROM = 2

interface Composed {
  /** Where the graphic is drawn on the page as seen. */
  places: readonly Matrix[]
  page: MarkSize
  /** Further entries of the form. */
  entries: Record<string, PDFObject>
  isGroup: boolean
}

/**
 * A form of the size of a page as seen, cut off at its edges, with a graphic at its places. With `isGroup` it is a
 * transparency group of its own (ISO 32000-2, 11.6.6): what overlaps in it does not add up when it is drawn with an
 * opacity. It has no color space of its own, so that the page's group decides.
 */
export function composePage(
  document: PdfDocument,
  graphic: Graphic,
  { places, page, entries, isGroup }: Composed,
): PDFRef {
  const { context } = document
  if (isGroup) document.addedFeatures.add('transparency')
  const isNamed = places.length >= NAMED_FROM
  const operators = isNamed ? '/Mark Do' : graphic.operators
  const resources = isNamed ? context.obj({ XObject: { Mark: addForm(document, graphic) } }) : graphic.resources
  return addContentStream(document, places.map(place => `q\n${writeNumbers(place)} cm\n${operators}\nQ`).join('\n'), {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: context.obj([0, 0, roundUp(page.width), roundUp(page.height)]),
    Resources: resources,
    ...(isGroup && { Group: context.obj({ Type: 'Group', S: 'Transparency', I: true }) }),
    ...entries,
  })
}

/** A graphic as a form; with `group`, as a transparency group. */
export function addForm(
  document: PdfDocument,
  { operators, resources, width, height, bleed, group }: Graphic & { group?: PDFDict },
): PDFRef {
  return addContentStream(document, operators, {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: document.context.obj([-bleed, -bleed, width + bleed, height + bleed].map(value => roundUp(value))),
    Resources: resources,
    ...(group && { Group: group }),
  })
}

/** A graphic that is one object of the document. */
export function graphicOf(
  document: PdfDocument,
  ref: PDFRef,
  { operators, width, height }: MarkSize & { operators: string },
): Graphic {
  return { operators, resources: document.context.obj({ XObject: { Mark: ref } }), width, height, bleed: 0 }
}

/** Away from 0, to a thousandth: a box may be larger than what it holds, never smaller. */
function roundUp(value: number): number {
  return (Math.sign(value) * Math.ceil(Math.abs(value) * 1000)) / 1000
}
