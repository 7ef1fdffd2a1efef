import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readBox, writeBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { chainMatrices, mapBox, mapPoint, quarterTurnsOf, readMatrix, scaleOf, writeMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { writeNumbers } from '../syntax/number-text'
import { readText, writeText } from '../syntax/text-string'
import { transformMeasure } from './transform-measure'
import type { ObjectCopies } from '../document/object-copies'
import * as Name from '../syntax/names'

/** Lists of points, and lists of such lists (ISO 32000-2, 12.5.6). */
const POINTS = ['QuadPoints', 'Vertices', 'L', 'CL', 'InkList', 'Path'].map(name => PDFName.of(name))

/** Lengths in units of the page. */
const LENGTHS = ['LL', 'LLE', 'LLO', 'CO'].map(name => PDFName.of(name))

/** Flag of annotations that stay upright on turned pages (ISO 32000-2, table 167). */
const NO_ROTATE = 1 << 4

/** Numbers of the longest list that is mapped; far beyond what a drawing by hand has. */
const MAX_NUMBERS = 1_000_000

/**
 * Moves an annotation with its page's content. `dict` is changed; values that it may share with others are replaced,
 * and appearances that have to be turned are copied into `variants`.
 */
export function transformAnnotation(
  document: PdfDocument,
  dict: PDFDict,
  { matrix, variants }: { matrix: Matrix; variants: ObjectCopies },
): void {
  const staysUpright = ((document.peekNumber(dict.get(Name.F)) ?? 0) & NO_ROTATE) !== 0
  const own = staysUpright ? uprightMatrix(document, dict, matrix) : matrix
  const scale = scaleOf(own)
  const turns = quarterTurnsOf(own)
  moveRect(document, dict, own)
  for (const key of POINTS) if (dict.has(key)) dict.set(key, mapPoints(document, dict.get(key), own))
  for (const key of LENGTHS) if (dict.has(key)) dict.set(key, scaleNumbers(document, dict.get(key), scale))
  const insets = document.peekArray(dict.get(Name.RD))?.asArray()
  // Left, top, right, bottom: a turn to the left makes the top the left side.
  if (insets?.length === 4)
    dict.set(
      Name.RD,
      scaleNumbers(document, document.context.obj([...insets.slice(turns), ...insets.slice(0, turns)]), scale),
    )
  scaleLook(document, dict, scale)
  const measure = document.peekDict(dict.get(Name.Measure))
  if (measure) dict.set(Name.Measure, transformMeasure(document, measure, own))
  if (turns === 0) return
  const [across, up, ...rest] = document.peekArray(dict.get(Name.Border))?.asArray() ?? []
  // The radii of its corners.
  if (across && up && turns % 2 === 1) dict.set(Name.Border, document.context.obj([up, across, ...rest]))
  turnAppearances(document, dict, { matrix: own, variants })
  turnField(document, dict, turns)
}

/**
 * A field says by how much its content is turned, counter-clockwise, for readers that draw it anew (ISO 32000-2, table
 * 192).
 */
function turnField(document: PdfDocument, annotation: PDFDict, turns: number): void {
  const given = document.peekDict(annotation.get(Name.MK))
  if (!given && document.peek(annotation.get(Name.Subtype)) !== Name.Widget) return
  const look = PDFDict.fromMapWithContext(new Map(given?.entries() ?? []), document.context)
  const degrees = ((((document.peekNumber(given?.get(Name.R)) ?? 0) + turns * 90) % 360) + 360) % 360
  if (degrees === 0) look.delete(Name.R)
  else look.set(Name.R, PDFNumber.of(degrees))
  if (look.keys().length) annotation.set(Name.MK, look)
  else annotation.delete(Name.MK)
}

/** For what stays upright: the upper left corner goes along, and the size is scaled. */
function uprightMatrix(document: PdfDocument, dict: PDFDict, matrix: Matrix): Matrix {
  const rect = readBox(document, dict.get(Name.Rect))
  const scale = scaleOf(matrix)
  if (!rect) return matrix
  const [x, y] = mapPoint(matrix, rect.x, rect.y + rect.height)
  return [scale, 0, 0, scale, x - rect.x * scale, y - (rect.y + rect.height) * scale]
}

function moveRect(document: PdfDocument, dict: PDFDict, matrix: Matrix): void {
  const rect = readBox(document, dict.get(Name.Rect))
  if (rect) dict.set(Name.Rect, writeBox(document, mapBox(matrix, rect)))
  // One without area.
  else if (dict.has(Name.Rect)) dict.set(Name.Rect, mapPoints(document, dict.get(Name.Rect), matrix))
}

/** The same list with every pair of numbers mapped, also in lists inside of it; anything else as it is. */
function mapPoints(document: PdfDocument, value: PDFObject | undefined, matrix: Matrix): PDFObject {
  const list = document.peekArray(value)?.asArray() ?? []
  if (list.length > MAX_NUMBERS) return document.context.obj([])
  if (list.some(item => document.peekArray(item))) {
    const inner = list.map(item => mapPairs(document, document.peekArray(item)?.asArray() ?? [], matrix))
    return document.context.obj(inner)
  }
  return mapPairs(document, list, matrix)
}

function mapPairs(document: PdfDocument, list: PDFObject[], matrix: Matrix): PDFArray {
  const mapped = PDFArray.withContext(document.context)
  for (let at = 0; at + 1 < list.length; at += 2) {
    for (const number of mapPoint(matrix, document.peekNumber(list[at]) ?? 0, document.peekNumber(list[at + 1]) ?? 0))
      mapped.push(round(number))
  }
  return mapped
}

function scaleNumbers(document: PdfDocument, value: PDFObject | undefined, scale: number): PDFObject {
  const list = document.peekArray(value)
  if (list) return document.context.obj(list.asArray().map(item => round((document.peekNumber(item) ?? 0) * scale)))
  return round((document.peekNumber(value) ?? 0) * scale)
}

function round(number: number): PDFNumber {
  return PDFNumber.of(Math.round(number * 10_000) / 10_000)
}

/** Widths of borders, and the size of text that readers write into the annotation. */
function scaleLook(document: PdfDocument, dict: PDFDict, scale: number): void {
  if (Math.abs(scale - 1) < 1e-6) return
  const border = document.peekArray(dict.get(Name.Border))?.asArray()
  if (border) dict.set(Name.Border, document.context.obj(border.map(item => scaleNumbers(document, item, scale))))
  const style = document.peekDict(dict.get(Name.BS))
  if (style) {
    const scaled = PDFDict.fromMapWithContext(new Map(style.entries()), document.context)
    for (const key of ['W', 'D'].map(name => PDFName.of(name)))
      if (style.has(key)) scaled.set(key, scaleNumbers(document, style.get(key), scale))
    dict.set(Name.BS, scaled)
  }
  const appearance = findDefaultAppearance(document, dict)
  const scaled = appearance === undefined ? undefined : scaleFontSize(appearance, scale)
  if (scaled !== undefined && scaled !== appearance) dict.set(Name.DA, writeText(scaled))
}

/** The annotation's own /DA; a widget's may come from its fields and the form. */
function findDefaultAppearance(document: PdfDocument, annotation: PDFDict): string | undefined {
  let dict: PDFDict | undefined = annotation
  const isWidget = annotation.get(Name.Subtype) === Name.Widget
  for (let depth = 0; dict && depth < 64; depth++) {
    const value = document.peek(dict.get(Name.DA))
    if (value instanceof PDFString || value instanceof PDFHexString) return readText(value)
    dict = isWidget ? document.peekDict(dict.get(Name.Parent)) : undefined
  }
  return isWidget
    ? readText(document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.DA)))
    : undefined
}

/** Size 0 means as large as fits, and stays. */
function scaleFontSize(appearance: string, scale: number): string {
  return appearance.replace(
    /(\/\S{1,200}\s+)(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(\s+Tf\b)/,
    (_all, font: string, size: string, operator: string) =>
      `${font}${Number((Number(size) * scale).toFixed(3))}${operator}`,
  )
}

/**
 * Readers fit an appearance upright into the rectangle (ISO 32000-2, 12.5.5): what turns with the page has to turn in
 * its own matrix.
 */
function turnAppearances(
  document: PdfDocument,
  dict: PDFDict,
  { matrix, variants }: { matrix: Matrix; variants: ObjectCopies },
): void {
  const scale = scaleOf(matrix) || 1
  const [a, b, c, d] = matrix
  const turn: Matrix = [a / scale, b / scale, c / scale, d / scale, 0, 0]
  const turnForm = (value: PDFObject): PDFObject => {
    if (!(value instanceof PDFRef) || !(document.peek(value) instanceof PDFStream)) return value
    return (
      variants.copy(value, `turned ${writeNumbers(turn)}`, form => [
        [Name.Matrix, writeMatrix(document, chainMatrices(readMatrix(document, form.get(Name.Matrix)), turn))],
      ]) ?? value
    )
  }
  const overlay = dict.get(Name.RO)
  if (overlay) dict.set(Name.RO, turnForm(overlay))
  const appearances = document.peekDict(dict.get(Name.AP))
  if (!appearances) return
  const turned = PDFDict.withContext(document.context)
  for (const [key, value] of appearances.entries()) {
    const states = document.peek(value)
    if (states instanceof PDFDict)
      turned.set(
        key,
        PDFDict.fromMapWithContext(
          new Map(states.entries().map(([state, form]) => [state, turnForm(form)])),
          document.context,
        ),
      )
    else turned.set(key, turnForm(value))
  }
  dict.set(Name.AP, turned)
}
