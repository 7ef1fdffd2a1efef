import { PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { removeAnnotations } from './annotation-removal'
import { annotationsOf } from './annotations'
import { findAppearance, fitAppearance, hasAppearance } from './appearance'
import type { PdfDocument } from '../document/document'
import { pruneFields } from '../forms/fields/form-fields'
import { rotationOf } from '../geometry/frame'
import { writeNumbers } from '../syntax/number-text'
import { PageContent } from '../content/page-content'
import type { Page } from '../document/page-tree'
import { readTerminalFields } from '../forms/fields/terminal-fields'
import type { TerminalField } from '../forms/fields/terminal-fields'
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'

/** Flags of annotations (ISO 32000-2, table 167). */
const HIDDEN = 1 << 1
const PRINT = 1 << 2
const NO_ROTATE = 1 << 4
const NO_VIEW = 1 << 5

/** Which annotations to draw: the ones visible on screen, the ones that print, or all that aren't hidden. */
export type AnnotationView = 'screen' | 'print' | 'all'

interface FlattenOptions {
  forms: boolean
  annotations: boolean
  view: AnnotationView
  /** Full names of fields that stay fillable. */
  keep: ReadonlySet<string>
  /** If true, links are removed too. */
  links: boolean
}

/**
 * Draws the appearances of form fields and annotations into the page content, then removes the fields and annotations.
 * Links stay unless `links` is true. An annotation without an appearance stays, together with its pop-up. Callers must
 * create missing appearances first (`engines/pdf/forms/missing-appearances.ts`, `engines/pdf/annotations/appearances/draw-appearances.ts`).
 */
export function flatten(document: PdfDocument, { forms, annotations, view, keep, links }: FlattenOptions): void {
  if (forms) dropXfa(document)
  const fields = forms ? readTerminalFields(document) : []
  const keptFields = new Set(fields.filter(field => keep.has(field.name)))
  const keptRefs = new Set([...keptFields].flatMap(field => [field.ref, ...field.widgets]))
  const isFlattened = (annotation: PDFObject): boolean => {
    const kind = document.peek(document.peekDict(annotation)?.get(Name.Subtype))
    if (kind === Name.Widget) return forms && !(annotation instanceof PDFRef && keptRefs.has(annotation))
    if (kind === Name.Link) return links
    return annotations && !isDrawnByReaders(document, annotation, view)
  }
  const flattened = new Set<PDFDict | undefined>()
  for (const page of document.pages) {
    const toFlatten = annotationsOf(document, page).filter(isFlattened)
    paint(
      document,
      page,
      toFlatten.filter(annotation => isShown(document, annotation, view)),
    )
    for (const annotation of toFlatten) flattened.add(document.peekDict(annotation))
  }
  if (
    document.catalog.has(Name.StructTreeRoot) &&
    [...flattened].some(annotation => annotation?.has(Name.StructParent))
  )
    document.warnings.add('tags-dropped')
  if (flattened.size)
    removeAnnotations(document, {
      pages: new Set(document.pages.keys()),
      matches: annotation => flattened.has(annotation),
      follows: () => false,
    })
  if (forms)
    removeFields(
      document,
      fields.filter(field => !keptFields.has(field)),
      keptFields.size > 0,
    )
}

function removeFields(document: PdfDocument, removedFields: TerminalField[], keepsForm: boolean): void {
  document.store.sever(removedFields.flatMap(field => [field.ref, ...field.widgets]).map(ref => ref.objectNumber))
  if (keepsForm) {
    pruneFields(document)
    return
  }
  for (const key of [Name.AcroForm, Name.Perms]) if (document.catalog.has(key)) document.editCatalog().delete(key)
}

/** Returns whether a view shows the annotation. No view shows a pop-up (ISO 32000-2, table 167). */
export function isShown(document: PdfDocument, annotation: PDFObject, view: AnnotationView): boolean {
  const dict = document.peekDict(annotation)
  const flags = document.peekNumber(dict?.get(Name.F)) ?? 0
  if (!dict || flags & HIDDEN || document.peek(dict.get(Name.Subtype)) === Name.Popup) return false
  if (view === 'all') return true
  return view === 'print' ? (flags & PRINT) !== 0 : (flags & NO_VIEW) === 0
}

/**
 * Returns whether the annotation stays because it has no appearance, so that readers draw it themselves. A pop-up stays
 * if its annotation stays.
 */
function isDrawnByReaders(document: PdfDocument, annotation: PDFObject, view: AnnotationView): boolean {
  const dict = document.peekDict(annotation)
  if (!dict) return false
  const isPopup = document.peek(dict.get(Name.Subtype)) === Name.Popup
  const owner = isPopup ? dict.get(Name.Parent) : annotation
  const ownerDict = document.peekDict(owner)
  return (
    owner !== undefined &&
    ownerDict !== undefined &&
    isShown(document, owner, view) &&
    !hasAppearance(document, ownerDict)
  )
}

/** Draws the appearances of the annotations over the page's content, in the order of the annotations. */
function paint(document: PdfDocument, page: Page, annotations: PDFObject[]): void {
  const content = new PageContent(document, page)
  if (annotations.length > 0) document.saving.addedFeatures.add('untagged-content')
  for (const annotation of annotations) {
    const dict = document.peekDict(annotation)
    const ref = dict && findAppearance(document, dict)
    const form = document.peekDict(ref)
    if (!dict || !ref || !form) continue
    const upright = (document.peekNumber(dict.get(Name.F)) ?? 0) & NO_ROTATE ? rotationOf(document, page) : 0
    const matrix = fitAppearance(document, dict, form, upright)
    if (!matrix) continue
    completeForm(document, ref, dict)
    const drawn = `${writeNumbers(matrix)} cm /${content.name(Name.XObject, 'Flat', ref)} Do`
    const layer = layerOf(document, dict)
    content.drawOver(layer ? `/OC /${content.name(Name.Properties, 'FlatLayer', layer)} BDC ${drawn} EMC` : drawn)
  }
  content.write()
}

/** The layer of an annotation (ISO 32000-2, 8.11). A layer that is written in the annotation becomes an object. */
function layerOf(document: PdfDocument, annotation: PDFDict): PDFRef | undefined {
  const value = annotation.get(Name.OC)
  if (value instanceof PDFRef) return value
  return value && document.peekDict(value) ? document.register(value) : undefined
}

/** Adds the /Type and /Subtype of a form XObject to an appearance. Adds the form's resources if the stream has none. */
function completeForm(document: PdfDocument, ref: PDFRef, annotation: PDFDict): void {
  const form = document.peekDict(ref)
  const fonts =
    document.peek(annotation.get(Name.Subtype)) === Name.Widget
      ? document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.DR)
      : undefined
  const isComplete = document.peek(form?.get(Name.Subtype)) === Name.Form && (form?.has(Name.Resources) || !fonts)
  if (isComplete) return
  const edited = document.edit(ref)
  edited.set(Name.Type, Name.XObject)
  edited.set(Name.Subtype, Name.Form)
  if (fonts && !edited.has(Name.Resources)) edited.set(Name.Resources, fonts)
}
