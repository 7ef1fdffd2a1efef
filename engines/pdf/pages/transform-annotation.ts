import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readBox, writeBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { chainMatrices, mapBox, mapPoint, quarterTurnsOf, readMatrix, scaleOf, writeMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { roundedNumber, writeNumbers } from '../syntax/number-text'
import { readText, writeText } from '../syntax/text-string'
import { transformMeasure } from './transform-measure'
import type { ObjectCopies } from '../document/object-copies'
import * as Name from '../syntax/names'
import { withinTurn } from '../geometry/frame'
import { copyDict } from '../document/object-copies'

/** Entries with lists of points, or lists of such lists (ISO 32000-2, 12.5.6). */
const POINTS = ['QuadPoints', 'Vertices', 'L', 'CL', 'InkList', 'Path'].map(name => PDFName.of(name))

/** Entries with lengths in user space units. */
const LENGTHS = ['LL', 'LLE', 'LLO', 'CO'].map(name => PDFName.of(name))

/** Flag of annotations that stay upright on rotated pages (ISO 32000-2, table 167). */
const NO_ROTATE = 1 << 4

/** Maximum length of a list of coordinates. Far more than any freehand drawing has. */
const MAX_NUMBERS = 1_000_000

/**
 * Transforms an annotation together with its page's content. Changes `dict`, and replaces values that other objects may
 * share. Appearances that must be rotated are copied into `variants`.
 */
export function transformAnnotation(
  document: PdfDocument,
  dict: PDFDict,
  { matrix, variants }: { matrix: Matrix; variants: ObjectCopies },
): void {
  const staysUpright = ((document.peekNumber(dict.get(Name.F)) ?? 0) & NO_ROTATE) !== 0
  const annotationMatrix = staysUpright ? uprightMatrix(document, dict, matrix) : matrix
  const scale = scaleOf(annotationMatrix)
  const turns = quarterTurnsOf(annotationMatrix)
  moveRect(document, dict, annotationMatrix)
  for (const key of POINTS) if (dict.has(key)) dict.set(key, mapPoints(document, dict.get(key), annotationMatrix))
  for (const key of LENGTHS) if (dict.has(key)) dict.set(key, scaleNumbers(document, dict.get(key), scale))
  const insets = document.peekArray(dict.get(Name.RD))?.asArray()
  // The order is left, top, right, bottom. A quarter turn counter-clockwise makes the top the left side.
  if (insets?.length === 4)
    dict.set(
      Name.RD,
      scaleNumbers(document, document.context.obj([...insets.slice(turns), ...insets.slice(0, turns)]), scale),
    )
  scaleBorderAndText(document, dict, scale)
  const measure = document.peekDict(dict.get(Name.Measure))
  if (measure) dict.set(Name.Measure, transformMeasure(document, measure, annotationMatrix))
  if (turns === 0) return
  const [across, up, ...rest] = document.peekItems(dict.get(Name.Border))
  // Swap the corner radii.
  if (across && up && turns % 2 === 1) dict.set(Name.Border, document.context.obj([up, across, ...rest]))
  turnAppearances(document, dict, { matrix: annotationMatrix, variants })
  turnField(document, dict, turns)
}

/**
 * Updates the rotation of a widget's content, in degrees counter-clockwise. Readers need it to draw the widget (ISO
 * 32000-2, table 192).
 */
function turnField(document: PdfDocument, annotation: PDFDict, turns: number): void {
  const appearance = document.peekDict(annotation.get(Name.MK))
  if (!appearance && document.peek(annotation.get(Name.Subtype)) !== Name.Widget) return
  const rotated = copyDict(document, appearance)
  const degrees = withinTurn((document.peekNumber(appearance?.get(Name.R)) ?? 0) + turns * 90)
  if (degrees === 0) rotated.delete(Name.R)
  else rotated.set(Name.R, PDFNumber.of(degrees))
  if (rotated.keys().length) annotation.set(Name.MK, rotated)
  else annotation.delete(Name.MK)
}

/** The matrix for an annotation that stays upright: moves its upper left corner and scales its size. */
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
  // The rectangle has no area.
  else if (dict.has(Name.Rect)) dict.set(Name.Rect, mapPoints(document, dict.get(Name.Rect), matrix))
}

/** Maps every pair of numbers in a list, and in nested lists. */
function mapPoints(document: PdfDocument, value: PDFObject | undefined, matrix: Matrix): PDFObject {
  const list = document.peekItems(value)
  if (list.length > MAX_NUMBERS) return document.context.obj([])
  if (list.some(item => document.peekArray(item))) {
    const inner = list.map(item => mapPairs(document, document.peekItems(item), matrix))
    return document.context.obj(inner)
  }
  return mapPairs(document, list, matrix)
}

function mapPairs(document: PdfDocument, list: PDFObject[], matrix: Matrix): PDFArray {
  const mapped = PDFArray.withContext(document.context)
  for (let at = 0; at + 1 < list.length; at += 2) {
    for (const number of mapPoint(matrix, document.peekNumber(list[at]) ?? 0, document.peekNumber(list[at + 1]) ?? 0))
      mapped.push(roundedNumber(number))
  }
  return mapped
}

function scaleNumbers(document: PdfDocument, value: PDFObject | undefined, scale: number): PDFObject {
  const list = document.peekArray(value)
  if (list)
    return document.context.obj(list.asArray().map(item => roundedNumber((document.peekNumber(item) ?? 0) * scale)))
  return roundedNumber((document.peekNumber(value) ?? 0) * scale)
}

/** Scales border widths, and the size of text that readers draw into the annotation. */
function scaleBorderAndText(document: PdfDocument, dict: PDFDict, scale: number): void {
  if (Math.abs(scale - 1) < 1e-6) return
  const border = document.peekArray(dict.get(Name.Border))?.asArray()
  if (border) dict.set(Name.Border, document.context.obj(border.map(item => scaleNumbers(document, item, scale))))
  const style = document.peekDict(dict.get(Name.BS))
  if (style) {
    const scaled = copyDict(document, style)
    for (const key of ['W', 'D'].map(name => PDFName.of(name)))
      if (style.has(key)) scaled.set(key, scaleNumbers(document, style.get(key), scale))
    dict.set(Name.BS, scaled)
  }
  const appearance = findDefaultAppearance(document, dict)
  const scaled = appearance === undefined ? undefined : scaleFontSize(appearance, scale)
  if (scaled !== undefined && scaled !== appearance) dict.set(Name.DA, writeText(scaled))
}

/** The annotation's /DA. A widget may inherit it from its fields or the form. */
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

/** Scales the font size in a default appearance string. Size 0 means auto-size and doesn't change. */
function scaleFontSize(appearance: string, scale: number): string {
  return appearance.replace(
    /(\/\S{1,200}\s+)(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(\s+Tf\b)/,
    (_all, font: string, size: string, operator: string) =>
      `${font}${Number((Number(size) * scale).toFixed(3))}${operator}`,
  )
}

/**
 * Rotates the appearances of an annotation. Readers fit an appearance upright into the rectangle (ISO 32000-2, 12.5.5),
 * so the rotation must be part of the appearance's matrix.
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
