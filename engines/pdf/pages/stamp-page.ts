import { createHash } from 'node:crypto'
import { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { writeBox } from '../geometry/box'
import { balanceContent } from '../content/balance-content'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { measureFrame, seenMatrix } from '../geometry/frame'
import { joinLayers } from '../structure/layers'
import { openDocument } from '../open-save/open'
import { addContentStream } from '../content/page-content'
import { contentsOf } from '../document/contents-of'
import { readPageTree } from '../document/page-tree'
import type { Page } from '../document/page-tree'
import { resolvePage } from '../../options/selectors'
import { keepVersionOf } from '../document/version'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

/** A page of another PDF as a form XObject. As displayed, its lower-left corner is at 0,0. */
export interface StampForm {
  ref: PDFRef
  /** Size in points, as displayed. */
  width: number
  height: number
}

interface StampSource {
  /** Page number, from 1. */
  pageNumber: number
  /** Names of the options with the PDF and the page number, for error messages. */
  param: string
  pageParam: string
}

/** Pages of the files that were added already, by the hash of the file. */
const sourcesOf = new WeakMap<PdfDocument, Map<string, Page[]>>()

/**
 * Converts a page of another PDF to a form XObject of this document: its content and resources, without annotations.
 * Layers keep their current state. Throws EngineError for `param` if the PDF can't be read or is encrypted, and for
 * `pageParam` if the page doesn't exist.
 */
export function addStampForm(
  document: PdfDocument,
  bytes: Uint8Array,
  { pageNumber, param, pageParam }: StampSource,
): StampForm {
  const pages = addPagesOf(document, bytes, param)
  const page = pages[resolvePage(pageNumber, pages.length, pageParam)] as Page // always in the list
  return addPageForm(document, page, param)
}

/**
 * Converts a page whose objects are in this document to a form XObject, like `addStampForm`. Throws EngineError
 * `damaged` for `param` if its content can't be read.
 */
export function addPageForm(document: PdfDocument, page: Page, param: string): StampForm {
  document.saving.addedFeatures.addUnchecked()
  const frame = measureFrame(document, page)
  const group = document.peekDict(page.dict.get(Name.Group))
  const ref = addContentStream(document, readContent(document, page, param), {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: writeBox(document, frame.visible),
    Matrix: document.context.obj(seenMatrix(frame)),
    Resources: document.peekDict(page.attribute(Name.Resources))
      ? (page.attribute(Name.Resources) as PDFObject)
      : PDFDict.withContext(document.context), // exists, as checked above
    ...(group && { Group: group }),
  })
  return { ref, width: frame.width, height: frame.height }
}

/**
 * Adds the objects of another document, which must be unchanged since it was opened, and its layers. Returns its pages
 * with their new object numbers. They aren't pages of this document. Throws EngineError `damaged`.
 */
export function addSourcePages(document: PdfDocument, other: PdfDocument): Page[] {
  keepVersionOf(document, other)
  const shift = document.store.addSource(other.source)
  const catalogRef = PDFRef.of(other.rootRef.objectNumber + shift)
  const catalog = document.peekDict(catalogRef)
  if (!catalog) throw new EngineError('damaged', 'The PDF is damaged beyond repair. It has no document catalog.')
  joinLayers(document, catalog)
  return readPageTree(document, catalogRef).pages
}

function addPagesOf(document: PdfDocument, bytes: Uint8Array, param: string): Page[] {
  const sources = findOrAdd(sourcesOf, document, () => new Map())
  const key = createHash('sha256').update(bytes).digest('hex')
  const cached = sources.get(key)
  if (cached) return cached
  try {
    const pages = addSourcePages(document, openDocument(bytes, document.limits))
    sources.set(key, pages)
    return pages
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError(error.reason, `${param}: ${error.message}`, { param, cause: error })
  }
}

/** Joins all content streams of a page and balances them, because a form XObject must not change the saved states. */
function readContent(document: PdfDocument, page: Page, param: string): string {
  const { contents, closing } = balanceContent(document, contentsOf(document, page))
  const parts = contents.map(content => {
    if (!(document.peek(content) instanceof PDFRawStream)) return ''
    const data = decodeUpToLimit(document, content)
    if (!data)
      throw new EngineError(
        'damaged',
        `${param}: the content of the page can't be read or is too large. Use a simpler PDF.`,
        { param },
      )
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  })
  return `${parts.join('\n')}${closing}`
}
