import { PDFDict, PDFName, PDFNumber, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import {
  annotationsOf,
  drawMissingAnnotations,
  findAppearance,
  hasAppearance,
  removeAnnotations,
} from '../../pdf/annotations'
import type { PdfDocument } from '../../pdf/document'
import { inheritedValue } from '../../pdf/forms'
import { readBox } from '../../pdf/geometry'
import * as Name from '../../pdf/names'
import { annotationTypesOf } from '../conformance/interactive/annotations'

// Flags of annotations (ISO 32000-2, table 167).
const INVISIBLE = 1
const HIDDEN = 2
const PRINT = 4
const NO_VIEW = 32
const TOGGLE_NO_VIEW = 256

const FORBIDDEN_FLAGS = INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW
const INVISIBLE_FLAGS = HIDDEN | NO_VIEW

/**
 * Makes annotations conform. Removes types that PDF/A forbids and annotations that are hidden. Draws missing
 * appearances, keeps only normal appearances, and sets the print flag. Returns whether annotations were removed.
 */
export async function settleAnnotations(document: PdfDocument, part: 1 | 2 | 3): Promise<boolean> {
  const isDropped = dropAnnotations(document, part)
  await drawMissingAnnotations(document, 'screen')
  const empty: EmptyAppearances = new Map()
  for (const page of document.pages)
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      if (annotation) settle(document, annotation, empty)
    }
  return isDropped
}

function dropAnnotations(document: PdfDocument, part: number): boolean {
  const allowed = annotationTypesOf(part)
  let count = 0
  const matches = (annotation: PDFDict): boolean => {
    const subtype = document.peek(annotation.get(Name.Subtype))
    const isAllowed = subtype instanceof PDFName && allowed.has(subtype.decodeText())
    const isHidden = subtype !== Name.Popup && (flagsOf(document, annotation) & INVISIBLE_FLAGS) !== 0
    if (!isAllowed || isHidden) count++
    return !isAllowed || isHidden
  }
  removeAnnotations(document, {
    pages: new Set(document.pages.keys()),
    matches,
    follows: annotation => document.peek(annotation.get(Name.Subtype)) === Name.Popup,
  })
  return count > 0
}

/** Appearances without content, by their size. Annotations of the same size share one. */
type EmptyAppearances = Map<string, PDFRef>

function settle(document: PdfDocument, annotation: PDFDict, empty: EmptyAppearances): void {
  const subtype = document.peek(annotation.get(Name.Subtype))
  annotation.set(Name.F, PDFNumber.of((flagsOf(document, annotation) | PRINT) & ~FORBIDDEN_FLAGS))
  const appearances = document.peek(annotation.get(Name.AP))
  if (appearances instanceof PDFDict) {
    for (const key of appearances.keys()) if (key !== Name.N) appearances.delete(key)
    if (appearances.keys().length === 0) annotation.delete(Name.AP)
    else settleNormal(document, annotation, appearances, isButton(document, annotation))
  } else annotation.delete(Name.AP)
  if (!annotation.has(Name.AP) && subtype !== Name.Popup && subtype !== Name.Link) addEmpty(document, annotation, empty)
}

/** Buttons need a dictionary of states, and other annotations one stream (ISO 19005-2, 6.3.3). */
function settleNormal(document: PdfDocument, annotation: PDFDict, appearances: PDFDict, isOfButton: boolean): void {
  const normal = document.peek(appearances.get(Name.N))
  if (isOfButton && normal instanceof PDFStream) {
    const value = appearances.get(Name.N) as PDFObject // is a stream, as checked above
    appearances.set(Name.N, document.context.obj({ Off: value }))
    annotation.set(Name.AS, Name.Off)
    return
  }
  if (!(normal instanceof PDFDict)) return
  if (isOfButton) {
    for (const [key, value] of normal.entries()) if (!(document.peek(value) instanceof PDFStream)) normal.delete(key)
    return
  }
  const shown = findAppearance(document, annotation)
  if (shown) appearances.set(Name.N, shown)
  else annotation.delete(Name.AP)
}

function isButton(document: PdfDocument, annotation: PDFDict): boolean {
  if (document.peek(annotation.get(Name.Subtype)) !== Name.Widget) return false
  const type = inheritedValue(document, annotation, Name.FT)
  return type instanceof PDFName && type.decodeText() === 'Btn'
}

/** Adds an appearance without content. Viewers that found no appearance showed nothing either. */
function addEmpty(document: PdfDocument, annotation: PDFDict, empty: EmptyAppearances): void {
  const box = readBox(document, annotation.get(Name.Rect))
  if (!box || (box.width === 0 && box.height === 0) || hasAppearance(document, annotation)) return
  const size = `${box.width} ${box.height}`
  const form = empty.get(size) ?? makeEmpty(document, box.width, box.height)
  empty.set(size, form)
  annotation.set(Name.AP, document.context.obj({ N: isButton(document, annotation) ? { Off: form } : form }))
  if (isButton(document, annotation)) annotation.set(Name.AS, Name.Off)
}

function makeEmpty(document: PdfDocument, width: number, height: number): PDFRef {
  const entries = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, width, height], Resources: {} }
  return document.register(document.context.stream('', entries))
}

function flagsOf(document: PdfDocument, annotation: PDFDict): number {
  return document.peekNumber(annotation.get(Name.F)) ?? 0
}
