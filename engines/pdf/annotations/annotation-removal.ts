import { PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { subtypeOf } from './annotation-entries'
import { cutAnnotationTags } from './annotation-tags'
import { annotationsOf, setAnnotations } from './annotations'
import type { PdfDocument } from '../document/document'
import { pruneFields } from '../forms/fields/form-fields'
import type { Page } from '../document/page-tree'
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'
import { addTo } from '../../map-entries'

interface Choice {
  /** Positions of the pages, from 0. */
  pages: ReadonlySet<number>
  matches(annotation: PDFDict): boolean
  /** Whether to remove a pop-up or a reply together with `owner`, the annotation that it belongs to. */
  follows(annotation: PDFDict, owner: PDFObject): boolean
}

/**
 * Removes annotations with their appearances, attached files and tags, and form fields that have no widget left. The
 * remaining objects no longer refer to the removed ones. Page content doesn't change.
 */
export function removeAnnotations(document: PdfDocument, choice: Choice): void {
  const pages = document.pages.filter((_, index) => choice.pages.has(index))
  const removed = findRemoved(document, pages, choice)
  if (removed.size === 0) return
  const hasWidgets = [...removed].some(value => isWidget(document, value))
  const tagKeys = readTagKeys(document, removed)
  for (const page of pages) removeFromPage(document, page, removed)
  const numbers = new Set(
    [...removed].flatMap(value =>
      value instanceof PDFRef && isAnnotation(document, value) ? [value.objectNumber] : [],
    ),
  )
  // A broken file may list one annotation on several pages. Remove its object only if no page lists it any more.
  if (pages.length < document.pageCount) {
    for (const [index, page] of document.pages.entries()) {
      if (!choice.pages.has(index))
        for (const value of annotationsOf(document, page))
          if (value instanceof PDFRef) numbers.delete(value.objectNumber)
    }
  }
  document.store.sever(numbers)
  if (hasWidgets) {
    dropXfa(document)
    pruneFields(document)
  }
  cutAnnotationTags(document, tagKeys)
}

/** Removes the document's form: AcroForm fields that are on no page, the XFA form and the permissions (/Perms). */
export function removeForm(document: PdfDocument): void {
  dropXfa(document)
  for (const key of [Name.AcroForm, Name.Perms]) if (document.catalog.has(key)) document.editCatalog().delete(key)
}

function findRemoved(document: PdfDocument, pages: Page[], { matches, follows }: Choice): Set<PDFObject> {
  const removed = new Set<PDFObject>()
  const followers = new Map<PDFObject, PDFObject[]>()
  const stack: PDFObject[] = []
  const belongsTo = (follower: PDFObject, owner: PDFObject | undefined): void => {
    if (owner) addTo(followers, owner, follower)
  }
  for (const page of pages) {
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      if (!annotation) continue
      if (matches(annotation)) stack.push(value)
      belongsTo(value, annotation.get(Name.IRT))
      if (subtypeOf(document, annotation) === 'Popup') belongsTo(value, annotation.get(Name.Parent))
      const popup = annotation.get(Name.Popup)
      if (popup && document.peekDict(popup)?.get(Name.Subtype) === Name.Popup) belongsTo(popup, value)
    }
  }
  while (stack.length) {
    const value = stack.pop()
    if (!value || removed.has(value)) continue
    removed.add(value)
    for (const follower of followers.get(value) ?? []) {
      const annotation = document.peekDict(follower)
      if (annotation && follows(annotation, value)) stack.push(follower)
    }
  }
  return removed
}

function removeFromPage(document: PdfDocument, page: Page, removed: ReadonlySet<PDFObject>): void {
  const annotations = annotationsOf(document, page)
  const remaining = annotations.filter(value => !removed.has(value))
  if (remaining.length === annotations.length) return
  setAnnotations(document, page, remaining)
  for (const value of remaining) {
    const annotation = document.peekDict(value)
    if (!annotation) continue
    const keys = isWidget(document, value) ? [Name.Popup, Name.IRT] : [Name.Popup, Name.Parent, Name.IRT]
    const dangling = keys.filter(key => {
      const target = annotation.get(key)
      return target !== undefined && removed.has(target)
    })
    if (dangling.length === 0) continue
    // A direct annotation belongs to the page, which counts as changed already.
    const edited = value instanceof PDFRef ? document.edit(value) : annotation
    for (const key of dangling) edited.delete(key)
    if (dangling.includes(Name.IRT)) edited.delete(Name.RT)
  }
}

/** A broken file may list any object as an annotation. If the object isn't one, only the list entry is removed. */
function isAnnotation(document: PdfDocument, ref: PDFRef): boolean {
  const object = document.peek(ref)
  return (
    object instanceof PDFDict &&
    (object.get(Name.Type) ?? Name.Annot) === Name.Annot &&
    (object.has(Name.Subtype) || object.has(Name.Rect))
  )
}

function isWidget(document: PdfDocument, value: PDFObject): boolean {
  const annotation = document.peekDict(value)
  return annotation !== undefined && subtypeOf(document, annotation) === 'Widget'
}

/** The keys of these annotations in the parent tree. */
function readTagKeys(document: PdfDocument, annotations: Iterable<PDFObject>): Set<number> {
  const keys = new Set<number>()
  for (const value of annotations) {
    const key = document.peekNumber(document.peekDict(value)?.get(Name.StructParent))
    if (key !== undefined) keys.add(key)
  }
  return keys
}
