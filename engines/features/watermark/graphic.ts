import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import type { Matrix } from '../../pdf/geometry'
import { writeNumbers } from '../../pdf/syntax'
import { addContentStream } from '../../pdf/rewrite-content'
import * as Name from '../../pdf/names'
import type { MarkSize } from './placement'

/** A graphic with its lower-left corner at 0,0, in points. */
export interface Graphic extends MarkSize {
  operators: string
  resources: PDFDict
  /** Points by which the graphic may exceed its box. */
  bleed: number
}

/** From this number of places on, the graphic is drawn as a form XObject instead of by repeated operators. */
const NAMED_FROM = 2

interface Composed {
  /** Positions of the graphic on the page as displayed. */
  places: readonly Matrix[]
  page: MarkSize
  /** Further entries of the form XObject. */
  entries: Record<string, PDFObject>
  isGroup: boolean
}

/**
 * Adds a form XObject that draws a graphic at each of its positions. The form has the size of the page as displayed,
 * and is clipped at its edges. With `isGroup`, the form XObject is an isolated transparency group (ISO 32000-2,
 * 11.6.6). Overlapping graphics then don't add up their opacity. The group has no color space, so that the group of the
 * page determines it.
 */
export function composePage(
  document: PdfDocument,
  graphic: Graphic,
  { places, page, entries, isGroup }: Composed,
): PDFRef {
  const { context } = document
  if (isGroup) document.saving.addedFeatures.add('transparency')
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

/** Adds a graphic as a form XObject. With `group`, it is a transparency group. */
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

/** Returns a graphic that draws an existing XObject. */
export function graphicOf(
  document: PdfDocument,
  ref: PDFRef,
  { operators, width, height }: MarkSize & { operators: string },
): Graphic {
  return { operators, resources: document.context.obj({ XObject: { Mark: ref } }), width, height, bleed: 0 }
}

/** Rounds away from 0 to a thousandth, because a box may be larger than its content, but never smaller. */
function roundUp(value: number): number {
  return (Math.sign(value) * Math.ceil(Math.abs(value) * 1000)) / 1000
}
