import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { readBox, writeBox } from './frame'
import type { Matrix } from './frame'
import { chainMatrices, mapBoxAround, mapPoint, quarterTurnsOf, scaleOf } from './matrix'
import { readText, writeText } from './text-string'

const RECT = PDFName.of('Rect')
const RD = PDFName.of('RD')
const BORDER = PDFName.of('Border')
const BS = PDFName.of('BS')
const DA = PDFName.of('DA')
const AP = PDFName.of('AP')
const MK = PDFName.of('MK')
const R = PDFName.of('R')
const F = PDFName.of('F')
const SUBTYPE = PDFName.of('Subtype')
const WIDGET = PDFName.of('Widget')
const PARENT = PDFName.of('Parent')
const ACRO_FORM = PDFName.of('AcroForm')
const MATRIX = PDFName.of('Matrix')

/** Lists of points, and lists of such lists (ISO 32000-2, 12.5.6). */
const POINTS = ['QuadPoints', 'Vertices', 'L', 'CL', 'InkList', 'Path'].map(name => PDFName.of(name))

/** Lengths in units of the page. */
const LENGTHS = ['LL', 'LLE', 'LLO', 'CO'].map(name => PDFName.of(name))

/** Flag of annotations that stay upright on turned pages (ISO 32000-2, table 167). */
const NO_ROTATE = 1 << 4

/** Numbers of the longest list that is mapped; far beyond what a drawing by hand has. */
const MAX_NUMBERS = 1_000_000

/** Appearances that were turned already, by number of the form and matrix: annotations share them. */
export type TurnedForms = Map<string, PDFRef>

/** Moves an annotation with its page's content. `dict` may be changed; values that it may share with others are replaced. */
export function transformAnnotation(document: PdfDocument, dict: PDFDict, { matrix, forms }: { matrix: Matrix; forms: TurnedForms }): void {
  const scale = scaleOf(matrix)
  const staysUpright = ((document.peekNumber(dict.get(F)) ?? 0) & NO_ROTATE) !== 0
  const turns = staysUpright ? 0 : quarterTurnsOf(matrix)
  moveRect(document, dict, staysUpright ? uprightMatrix(document, dict, matrix) : matrix)
  for (const key of POINTS) if (dict.has(key)) dict.set(key, mapPoints(document, dict.get(key), matrix))
  for (const key of LENGTHS) if (dict.has(key)) dict.set(key, scaleNumbers(document, dict.get(key), scale))
  const insets = document.peekArray(dict.get(RD))?.asArray()
  // Left, top, right, bottom: a turn to the left makes the top the left side.
  if (insets?.length === 4) dict.set(RD, scaleNumbers(document, document.context.obj([...insets.slice(turns), ...insets.slice(0, turns)]), scale))
  scaleLook(document, dict, scale)
  if (turns === 0) return
  turnAppearances(document, dict, { matrix, forms })
  if (dict.get(SUBTYPE) !== WIDGET) return
  const look = PDFDict.fromMapWithContext(new Map(document.peekDict(dict.get(MK))?.entries() ?? []), document.context)
  look.set(R, PDFNumber.of(((document.peekNumber(look.get(R)) ?? 0) + turns * 90) % 360))
  dict.set(MK, look)
}

/** For what stays upright: the upper left corner goes along, and the size is scaled. */
function uprightMatrix(document: PdfDocument, dict: PDFDict, matrix: Matrix): Matrix {
  const rect = readBox(document, dict.get(RECT))
  const scale = scaleOf(matrix)
  if (!rect) return matrix
  const [x, y] = mapPoint(matrix, rect.x, rect.y + rect.height)
  return [scale, 0, 0, scale, x - rect.x * scale, y - (rect.y + rect.height) * scale]
}

function moveRect(document: PdfDocument, dict: PDFDict, matrix: Matrix): void {
  const rect = readBox(document, dict.get(RECT))
  if (rect) dict.set(RECT, writeBox(document, mapBoxAround(matrix, rect)))
  else if (dict.has(RECT)) dict.set(RECT, mapPoints(document, dict.get(RECT), matrix)) // one without area
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
    for (const number of mapPoint(matrix, document.peekNumber(list[at]) ?? 0, document.peekNumber(list[at + 1]) ?? 0)) mapped.push(round(number))
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
  const border = document.peekArray(dict.get(BORDER))?.asArray()
  if (border) dict.set(BORDER, document.context.obj(border.map(item => scaleNumbers(document, item, scale))))
  const style = document.peekDict(dict.get(BS))
  if (style) {
    const scaled = PDFDict.fromMapWithContext(new Map(style.entries()), document.context)
    for (const key of ['W', 'D'].map(name => PDFName.of(name))) if (style.has(key)) scaled.set(key, scaleNumbers(document, style.get(key), scale))
    dict.set(BS, scaled)
  }
  const appearance = findDefaultAppearance(document, dict)
  const scaled = appearance === undefined ? undefined : scaleFontSize(appearance, scale)
  if (scaled !== undefined && scaled !== appearance) dict.set(DA, writeText(scaled))
}

/** The annotation's own /DA; a widget's may come from its fields and the form. */
function findDefaultAppearance(document: PdfDocument, annotation: PDFDict): string | undefined {
  let dict: PDFDict | undefined = annotation
  const isWidget = annotation.get(SUBTYPE) === WIDGET
  for (let depth = 0; dict && depth < 64; depth++) {
    const value = document.peek(dict.get(DA))
    if (value instanceof PDFString || value instanceof PDFHexString) return readText(value)
    dict = isWidget ? document.peekDict(dict.get(PARENT)) : undefined
  }
  return isWidget ? readText(document.peek(document.peekDict(document.catalog.get(ACRO_FORM))?.get(DA))) : undefined
}

/** Size 0 means as large as fits, and stays. */
function scaleFontSize(appearance: string, scale: number): string {
  return appearance.replace(/(\/\S{1,200}\s+)(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(\s+Tf\b)/, (_all, font: string, size: string, operator: string) => `${font}${Number((Number(size) * scale).toFixed(3))}${operator}`)
}

/** Readers fit an appearance upright into the rectangle: what turns with the page has to turn in its own matrix. */
function turnAppearances(document: PdfDocument, dict: PDFDict, turn: { matrix: Matrix; forms: TurnedForms }): void {
  const appearances = document.peekDict(dict.get(AP))
  if (!appearances) return
  const turned = PDFDict.withContext(document.context)
  for (const [key, value] of appearances.entries()) {
    const states = document.peek(value)
    if (!(states instanceof PDFDict)) {
      turned.set(key, turnForm(document, value, turn))
      continue
    }
    const copy = PDFDict.withContext(document.context)
    for (const [state, form] of states.entries()) copy.set(state, turnForm(document, form, turn))
    turned.set(key, copy)
  }
  dict.set(AP, turned)
}

function turnForm(document: PdfDocument, value: PDFObject, { matrix, forms }: { matrix: Matrix; forms: TurnedForms }): PDFObject {
  const form = document.peek(value)
  if (!(form instanceof PDFRawStream) || !(value instanceof PDFRef)) return value
  const scale = scaleOf(matrix) || 1
  const [a, b, c, d] = matrix
  const given = document.peekArray(form.dict.get(MATRIX))?.asArray().map(item => document.peekNumber(item) ?? 0) ?? []
  const [A = 1, B = 0, C = 0, D = 1, E = 0, F6 = 0] = given.length === 6 ? given : []
  const chained = chainMatrices([A, B, C, D, E, F6], [a / scale, b / scale, c / scale, d / scale, 0, 0]).map(number => Math.round(number * 1e6) / 1e6)
  const key = `${value.objectNumber} ${chained.join(' ')}`
  const known = forms.get(key)
  if (known) return known
  const copy = PDFDict.fromMapWithContext(new Map(form.dict.entries()), document.context)
  copy.set(MATRIX, document.context.obj(chained))
  const ref = document.register(PDFRawStream.of(copy, form.contents))
  forms.set(key, ref)
  return ref
}
