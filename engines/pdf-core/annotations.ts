import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { leadsNowhere } from './destinations'
import type { Destinations } from './destinations'
import type { PdfDocument } from './document'
import { addWidgetCopy } from './form-fields'
import type { Page } from './page-tree'

const ANNOTS = PDFName.of('Annots')
const SUBTYPE = PDFName.of('Subtype')
const LINK = PDFName.of('Link')
const WIDGET = PDFName.of('Widget')
const P = PDFName.of('P')
const POPUP = PDFName.of('Popup')
const PARENT = PDFName.of('Parent')
const IRT = PDFName.of('IRT')

/** The values of a page's /Annots: references, or (rarely) dictionaries. */
export function annotationsOf(document: PdfDocument, page: Page): PDFObject[] {
  return document.peekArray(page.dict.get(ANNOTS))?.asArray() ?? []
}

/** The object numbers of the annotations on these pages. */
export function annotationNumbers(document: PdfDocument, pages: Iterable<Page>): Set<number> {
  const numbers = new Set<number>()
  for (const page of pages) {
    page.facts.annotationNumbers ??= annotationsOf(document, page).flatMap(annotation => (annotation instanceof PDFRef ? [annotation.objectNumber] : []))
    for (const number of page.facts.annotationNumbers) numbers.add(number)
  }
  return numbers
}

/** Gives a page these annotations. */
export function setAnnotations(document: PdfDocument, page: Page, annotations: PDFObject[]): void {
  const dict = document.edit(page.ref)
  if (annotations.length === 0) {
    dict.delete(ANNOTS)
    return
  }
  const array = PDFArray.withContext(document.context)
  for (const annotation of annotations) array.push(annotation)
  dict.set(ANNOTS, array)
}

/** Removes links whose page was severed from the pages that stay. */
export function removeDeadLinks(document: PdfDocument, pages: Page[], destinations: Destinations): void {
  for (const page of pages) {
    const annotations = annotationsOf(document, page)
    const alive = annotations.filter(annotation => {
      const dict = document.peekDict(annotation)
      if (!dict) return !(annotation instanceof PDFRef && document.store.isSevered(annotation.objectNumber))
      return dict.get(SUBTYPE) !== LINK || !leadsNowhere(document, destinations.targetOf(dict))
    })
    if (alive.length < annotations.length) setAnnotations(document, page, alive)
  }
}

/** Gives a copied page annotations of its own; a form field gains one more widget. */
export function copyAnnotations(document: PdfDocument, copy: Page): void {
  const originals = annotationsOf(document, copy)
  if (originals.length === 0) return
  const copies = new Map<PDFObject, PDFRef>()
  for (const original of originals) {
    const dict = document.peekDict(original)
    if (!dict) continue
    const clone = PDFDict.fromMapWithContext(new Map(dict.entries()), document.context)
    clone.set(P, copy.ref)
    clone.delete(PDFName.of('StructParent'))
    const ref = document.register(clone)
    if (dict.get(SUBTYPE) === WIDGET && !(original instanceof PDFRef && addWidgetCopy(document, original, ref))) continue
    copies.set(original, ref)
  }
  for (const ref of copies.values()) {
    const clone = document.edit(ref)
    for (const key of clone.get(SUBTYPE) === WIDGET ? [] : [POPUP, PARENT, IRT]) {
      const value = clone.get(key)
      const own = value && copies.get(value)
      if (own) clone.set(key, own)
      else if (value) clone.delete(key)
    }
  }
  setAnnotations(document, copy, [...copies.values()])
}
