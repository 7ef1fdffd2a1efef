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
import { openDocument } from './open'
import { addContentStream } from '../content/page-content'
import { contentsOf } from '../document/contents-of'
import { readPageTree } from '../document/page-tree'
import type { Page } from '../document/page-tree'
import { resolvePage } from '../../options/selectors'
import { keepVersionOf } from '../document/version'
import * as Name from '../syntax/names'

/** A page of another PDF as a form, drawn from its lower-left corner at 0,0 as it is seen. */
export interface StampForm {
  ref: PDFRef
  /** Points, as seen. */
  width: number
  height: number
}

interface Wanted {
  /** From 1. */
  pageNumber: number
  /** The options that the PDF and the number came from, for refusals. */
  param: string
  pageParam: string
}

/** The files that pages were taken from, by their bytes. */
const sourcesOf = new WeakMap<PdfDocument, Map<string, Page[]>>()

/**
 * Makes a page of another PDF a form of this document: its content with what it needs, without annotations. Layers come
 * along in the state that they have there. Throws EngineError that blames `param` for a PDF that can't be read or is
 * encrypted, `pageParam` for a page it has not.
 */
export function addStampForm(
  document: PdfDocument,
  bytes: Uint8Array,
  { pageNumber, param, pageParam }: Wanted,
): StampForm {
  document.addedFeatures.addUnchecked()
  const pages = addPagesOf(document, bytes, param)
  const page = pages[resolvePage(pageNumber, pages.length, pageParam)] as Page // resolvePage gives a place in the list
  const frame = measureFrame(document, page)
  const group = document.peekDict(page.dict.get(Name.Group))
  const ref = addContentStream(document, readContent(document, page, param), {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: writeBox(document, frame.visible),
    Matrix: document.context.obj(seenMatrix(frame)),
    Resources: document.peekDict(page.attribute(Name.Resources))
      ? (page.attribute(Name.Resources) as PDFObject)
      : PDFDict.withContext(document.context), // there, as was just seen
    ...(group && { Group: group }),
  })
  return { ref, width: frame.width, height: frame.height }
}

function addPagesOf(document: PdfDocument, bytes: Uint8Array, param: string): Page[] {
  const sources = sourcesOf.get(document) ?? new Map<string, Page[]>()
  sourcesOf.set(document, sources)
  const key = createHash('sha256').update(bytes).digest('hex')
  const known = sources.get(key)
  if (known) return known
  try {
    const other = openDocument(bytes, document.limits)
    keepVersionOf(document, other)
    const shift = document.store.addSource(other.source)
    const catalogRef = PDFRef.of(other.rootRef.objectNumber + shift)
    const catalog = document.peekDict(catalogRef)
    if (!catalog) throw new EngineError('unreadable', 'The PDF is damaged beyond repair: it has no document catalog.')
    joinLayers(document, catalog)
    const { pages } = readPageTree(document, catalogRef)
    sources.set(key, pages)
    return pages
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError(error.reason, `${param}: ${error.message}`, { param, cause: error })
  }
}

/** All of a page's streams in one, closed at both ends: a form must leave as many states as it found. */
function readContent(document: PdfDocument, page: Page, param: string): string {
  const { contents, closing } = balanceContent(document, contentsOf(document, page))
  const parts = contents.map(content => {
    if (!(document.peek(content) instanceof PDFRawStream)) return ''
    const data = decodeUpToLimit(document, content)
    if (!data)
      throw new EngineError(
        'unreadable',
        `${param}: the content of its page can not be read or is too large; use a simpler PDF`,
        { param },
      )
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  })
  return `${parts.join('\n')}${closing}`
}
