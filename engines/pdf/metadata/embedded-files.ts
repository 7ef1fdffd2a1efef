import { PDFDict } from 'pdf-lib'
import { subtypeOf } from '../annotations/annotation-entries'
import { removeAnnotations } from '../annotations/annotation-removal'
import { annotationsOf } from '../annotations/annotations'
import { dropAttachments } from '../structure/attachments'
import type { PdfDocument } from '../document/document'
import { hasAssociatedFiles, removeAssociatedFiles } from './hidden-data'
import { readNameTree } from '../document/name-tree'
import * as Name from '../syntax/names'

/** Returns whether the document has embedded files: for all of it, for an annotation, or for another object. */
export function hasEmbeddedFiles(document: PdfDocument): boolean {
  const names = document.peek(document.catalog.get(Name.Names))
  const isNamed = names instanceof PDFDict && readNameTree(document, names.get(Name.EmbeddedFiles)).length > 0
  if (isNamed || hasAssociatedFiles(document)) return true
  return document.pages.some(page =>
    annotationsOf(document, page).some(value => isFile(document, document.peekDict(value))),
  )
}

/** Removes all embedded files, and the file attachment annotations. */
export function removeEmbeddedFiles(document: PdfDocument): void {
  dropAttachments(document)
  removeAssociatedFiles(document)
  const pages = new Set(document.pages.keys())
  removeAnnotations(document, { pages, matches: annotation => isFile(document, annotation), follows: () => true })
}

function isFile(document: PdfDocument, annotation: PDFDict | undefined): boolean {
  return annotation !== undefined && subtypeOf(document, annotation) === 'FileAttachment'
}
