import { PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import { annotationsOf, setAnnotations } from './annotations'
import type { Variants } from './variants'
import type { PdfDocument } from './document'
import { readBox, writeBox } from './frame'
import type { Box } from './frame'
import type { Page } from './page-tree'
import { multiply, readMatrix, writeNumbers } from './turn'
import type { Turn } from './turn'

const AP = PDFName.of('AP')
const F = PDFName.of('F')
const MK = PDFName.of('MK')
const R = PDFName.of('R')
const RD = PDFName.of('RD')
const RECT = PDFName.of('Rect')
const BORDER = PDFName.of('Border')
const MATRIX = PDFName.of('Matrix')
const OVERLAY = PDFName.of('RO')
const SUBTYPE = PDFName.of('Subtype')
const WIDGET = PDFName.of('Widget')

/** Entries that are points, and those that are lists of points (ISO 32000-2, 12.5.6). */
const POINTS = ['QuadPoints', 'Vertices', 'L', 'CL'].map(name => PDFName.of(name))
const POINT_LISTS = ['InkList', 'Path'].map(name => PDFName.of(name))

/** Flag of annotations that stay upright while their upper left corner turns with the page (ISO 32000-2, table 167). */
const NO_ROTATE = 1 << 4

/**
 * Turns the annotations of a page with its content, appearances too; `done` holds the references of those that were
 * turned. Appearances that others may use are copied.
 */
export function turnAnnotations(document: PdfDocument, page: Page, turn: Turn, { variants, done }: { variants: Variants; done: Set<PDFRef> }): void {
  const annotations = annotationsOf(document, page)
  const turned = annotations.map(annotation => {
    const dict = document.peekDict(annotation)
    if (!dict || (annotation instanceof PDFRef && done.has(annotation))) return annotation
    const ref = annotation instanceof PDFRef ? annotation : document.register(PDFDict.fromMapWithContext(new Map(dict.entries()), document.context))
    done.add(ref)
    turnAnnotation(document, document.edit(ref), turn, variants)
    return ref
  })
  if (turned.some((annotation, index) => annotation !== annotations[index])) setAnnotations(document, page, turned)
}

function turnAnnotation(document: PdfDocument, annotation: PDFDict, turn: Turn, variants: Variants): void {
  const rect = readBox(document, annotation.get(RECT))
  if ((document.peekNumber(annotation.get(F)) ?? 0) & NO_ROTATE) {
    if (rect) annotation.set(RECT, writeBox(document, moveUpright(rect, turn)))
    return
  }
  if (rect) annotation.set(RECT, writeBox(document, turn.box(rect)))
  for (const key of POINTS) replace(annotation, key, turn.points(document, annotation.get(key)))
  for (const key of POINT_LISTS) {
    const lists = document.peekArray(annotation.get(key))?.asArray()
    if (lists) annotation.set(key, document.context.obj(lists.map(list => turn.points(document, list) ?? list)))
  }
  turnSides(document, annotation, turn)
  turnAppearances(document, annotation, turn, variants)
  turnField(document, annotation, turn)
}

/** The rectangle of an upright annotation whose upper left corner turns. */
function moveUpright({ x, y, width, height }: Box, turn: Turn): Box {
  const [left, top] = turn.point(x, y + height)
  return { x: left, y: top - height, width, height }
}

/** What counts sides: the distances of the inner rectangle (left, top, right, bottom) and the radii of a border. */
function turnSides(document: PdfDocument, annotation: PDFDict, turn: Turn): void {
  const sides = document.peekArray(annotation.get(RD))?.asArray()
  if (sides?.length === 4) {
    const steps = turn.degrees / 90
    annotation.set(RD, document.context.obj(sides.map((_, index) => sides[(index - steps + 4) % 4])))
  }
  const border = document.peekArray(annotation.get(BORDER))?.asArray()
  const [across, up, ...rest] = border ?? []
  if (across && up && turn.isQuarter) annotation.set(BORDER, document.context.obj([up, across, ...rest]))
}

function turnAppearances(document: PdfDocument, annotation: PDFDict, turn: Turn, variants: Variants): void {
  const turnForm = (value: PDFObject): PDFObject => {
    const isForm = value instanceof PDFRef && document.peek(value) !== document.peekDict(value)
    return (isForm ? variants.copy(value, turn.linear.join(' '), dict => [[MATRIX, turnMatrix(document, dict, turn)]]) : undefined) ?? value
  }
  const overlay = annotation.get(OVERLAY)
  if (overlay) annotation.set(OVERLAY, turnForm(overlay))
  const appearances = document.peekDict(annotation.get(AP))
  if (!appearances) return
  const turned = PDFDict.withContext(document.context)
  for (const [key, value] of appearances.entries()) {
    const states = document.peek(value)
    if (states instanceof PDFDict) turned.set(key, PDFDict.fromMapWithContext(new Map(states.entries().map(([state, form]) => [state, turnForm(form)])), document.context))
    else turned.set(key, turnForm(value))
  }
  annotation.set(AP, turned)
}

/** Only turned: an appearance is moved into its rectangle whatever its matrix (ISO 32000-2, 12.5.5). */
function turnMatrix(document: PdfDocument, form: PDFDict, turn: Turn): PDFArray {
  return writeNumbers(document, multiply(readMatrix(document, form.get(MATRIX)), turn.linear))
}

/** A field says by how much its content is turned, counter-clockwise, for readers that draw it anew (ISO 32000-2, table 192). */
function turnField(document: PdfDocument, annotation: PDFDict, turn: Turn): void {
  const given = document.peekDict(annotation.get(MK))
  if (!given && document.peek(annotation.get(SUBTYPE)) !== WIDGET) return
  const characteristics = PDFDict.fromMapWithContext(new Map(given?.entries() ?? []), document.context)
  const degrees = ((((document.peekNumber(given?.get(R)) ?? 0) - turn.degrees) % 360) + 360) % 360
  if (degrees === 0) characteristics.delete(R)
  else characteristics.set(R, PDFNumber.of(degrees))
  if (characteristics.keys().length) annotation.set(MK, characteristics)
  else annotation.delete(MK)
}

function replace(dict: PDFDict, key: PDFName, value: PDFObject | undefined): void {
  if (value) dict.set(key, value)
}
