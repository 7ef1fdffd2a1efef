import { PDFArray, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { leadsNowhere } from '../structure/destinations'
import type { Destinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { detachFieldEntries } from '../forms/fields/field-tree'
import { addWidgetCopy, isSignatureField } from '../forms/fields/form-fields'
import type { Page } from '../document/page-tree'
import { readLinkEntries } from './link-entries'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/** Entries that define a widget's actions and how readers draw it (ISO 32000-2, table 191). */
const FIELD_LOOKS = ['MK', 'A', 'AA', 'H'].map(name => PDFName.of(name))

/** The values of a page's /Annots: references, or (rarely) dictionaries. */
export function annotationsOf(document: PdfDocument, page: Page): PDFObject[] {
  return document.peekItems(page.dict.get(Name.Annots))
}

/** The object numbers of the annotations on these pages. */
export function annotationNumbers(document: PdfDocument, pages: Iterable<Page>): Set<number> {
  const numbers = new Set<number>()
  for (const page of pages) {
    page.facts.annotationNumbers ??= annotationsOf(document, page).flatMap(annotation =>
      annotation instanceof PDFRef ? [annotation.objectNumber] : [],
    )
    for (const number of page.facts.annotationNumbers) numbers.add(number)
  }
  return numbers
}

/** Sets the page's /Annots, or removes the entry if there are no annotations. */
export function setAnnotations(document: PdfDocument, page: Page, annotations: PDFObject[]): void {
  const dict = document.edit(page.ref)
  if (annotations.length === 0) {
    dict.delete(Name.Annots)
    return
  }
  const array = PDFArray.withContext(document.context)
  for (const annotation of annotations) array.push(annotation)
  dict.set(Name.Annots, array)
}

/** Removes links from these pages if they lead to a severed page. */
export function removeDeadLinks(document: PdfDocument, pages: Page[], destinations: Destinations): void {
  for (const page of pages) {
    const annotations = annotationsOf(document, page)
    const alive = annotations.filter(annotation => {
      const entries = readLinkEntries(document, annotation)
      if (entries) return !entries.isLink || !document.store.isSevered(entries.target)
      const dict = document.peekDict(annotation)
      if (!dict) return !(annotation instanceof PDFRef && document.store.isSevered(annotation.objectNumber))
      return dict.get(Name.Subtype) !== Name.Link || !leadsNowhere(document, destinations.targetOf(dict))
    })
    if (alive.length < annotations.length) setAnnotations(document, page, alive)
  }
}

/** Gives a copied page its own copies of the annotations. Each form field gains one more widget. */
export function copyAnnotations(document: PdfDocument, copy: Page): void {
  const originals = annotationsOf(document, copy)
  if (originals.length === 0) return
  const copies = new Map<PDFObject, PDFRef>()
  for (const original of originals) {
    const clone = cloneAnnotation(document, original, copy)
    if (!clone) continue
    const isWidget = document.peekDict(original)?.get(Name.Subtype) === Name.Widget
    if (isWidget && !(original instanceof PDFRef && addWidgetCopy(document, original, clone))) continue
    copies.set(original, clone)
  }
  for (const ref of copies.values()) relate(document, ref, copies, () => false)
  setAnnotations(document, copy, [...copies.values()])
}

/**
 * Copies annotations that other pages list too, so that each page can change its own copy. Form fields gain widgets. A
 * signature field may have only one widget, so each copy of a signature becomes a stamp.
 */
export function separateAnnotations(document: PdfDocument, pages: Iterable<Page>): void {
  const listed = [...pages].filter(page => annotationsOf(document, page).length > 0)
  if (listed.length === 0) return
  const uses = new Map<PDFObject, number>()
  for (const page of document.pages) {
    for (const value of new Set(annotationsOf(document, page))) {
      if (value instanceof PDFRef) uses.set(value, (uses.get(value) ?? 0) + 1)
    }
  }
  for (const page of listed) {
    const shared = new Set(annotationsOf(document, page).filter(value => (uses.get(value) ?? 0) > 1))
    if (shared.size === 0) continue
    for (const value of shared) uses.set(value, (uses.get(value) ?? 0) - 1)
    replaceShared(document, page, shared)
  }
}

function replaceShared(document: PdfDocument, page: Page, shared: ReadonlySet<PDFObject>): void {
  const originals = annotationsOf(document, page)
  const copies = new Map<PDFObject, PDFRef>()
  for (const original of shared) {
    const clone = original instanceof PDFRef ? cloneAnnotation(document, original, page) : undefined
    if (!clone || !(original instanceof PDFRef)) continue
    copies.set(original, clone)
    if (document.peekDict(original)?.get(Name.Subtype) !== Name.Widget) continue
    if (isSignatureField(document, original)) makeStamp(document, clone)
    else addWidgetCopy(document, original, clone)
  }
  const pageAnnotations = originals.map(original => copies.get(original) ?? original)
  const listed = new Set(pageAnnotations)
  for (const ref of copies.values()) relate(document, ref, copies, value => listed.has(value))
  for (const ref of originals) if (ref instanceof PDFRef && !shared.has(ref)) relate(document, ref, copies, () => true)
  setAnnotations(document, page, pageAnnotations)
}

/** A copy of an annotation for another page. The copy still refers to the same objects as the original. */
function cloneAnnotation(document: PdfDocument, original: PDFObject, page: Page): PDFRef | undefined {
  const dict = document.peekDict(original)
  if (!dict) return undefined
  const clone = copyDict(document, dict)
  clone.set(Name.P, page.ref)
  clone.delete(Name.StructParent)
  return document.register(clone)
}

/** Points /Popup, /Parent and /IRT at the copies. Removes each entry whose target has no copy and doesn't stay. */
function relate(
  document: PdfDocument,
  ref: PDFRef,
  copies: ReadonlyMap<PDFObject, PDFRef>,
  stays: (value: PDFObject) => boolean,
): void {
  const dict = document.peekDict(ref)
  if (!dict || dict.get(Name.Subtype) === Name.Widget) return
  for (const key of [Name.Popup, Name.Parent, Name.IRT]) {
    const value = dict.get(key)
    const copy = value && copies.get(value)
    if (copy) document.edit(ref).set(key, copy)
    else if (value && !stays(value)) document.edit(ref).delete(key)
  }
}

function makeStamp(document: PdfDocument, ref: PDFRef): void {
  const dict = document.edit(ref)
  detachFieldEntries(document, dict)
  for (const key of FIELD_LOOKS) dict.delete(key)
  dict.set(Name.Subtype, Name.Stamp)
}
