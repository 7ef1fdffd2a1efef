import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { contentsOf } from '../../document/contents-of'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import * as Name from '../../syntax/names'

/** A content stream, or all content streams of a page taken as one. */
export interface ContentStream {
  kind: 'page' | 'form' | 'mask' | 'pattern' | 'glyph' | 'appearance'
  page: Page
  /** The closest indirect object. */
  object: PDFRef | undefined
  /** The page, or the dictionary of the stream. */
  dict: PDFDict
  /** The decoded content. */
  bytes: Uint8Array
  /** Whether all of it could be decoded. Viewers show nothing for the rest. */
  isWhole: boolean
  /** The resources that names in the stream refer to: its own, or the resources of the stream that draws it. */
  resources: PDFDict | undefined
  /** The resources of the page. They are used for names that `resources` doesn't have. */
  pageResources: PDFDict | undefined
  /** Whether the stream's own dictionary has /Resources. Otherwise, they are inherited. */
  hasOwnResources: boolean
  /** The stream that draws this one. */
  parent: ContentStream | undefined
  /** How many streams are around it. */
  depth: number
}

/** The resources of a content stream. */
export type ResourcesOfStream = Pick<ContentStream, 'resources' | 'pageResources'>

/**
 * Returns the value of a resource: a reference or a direct object. The page has the names that the stream's own resources
 * lack.
 */
export function findResource(
  document: PdfDocument,
  { resources, pageResources }: ResourcesOfStream,
  category: string,
  name: string | undefined,
): PDFObject | undefined {
  return findIn(document, resources, category, name) ?? findIn(document, pageResources, category, name)
}

/** Returns the value of a resource in one dictionary. */
export function findIn(
  document: PdfDocument,
  resources: PDFDict | undefined,
  category: string,
  name: string | undefined,
): PDFObject | undefined {
  return name === undefined ? undefined : document.peekDict(resources?.get(PDFName.of(category)))?.get(PDFName.of(name))
}

/** Decodes a content stream. Undefined if it can't be decoded. */
export type DecodeContent = (document: PdfDocument, value: PDFObject | undefined) => Uint8Array | undefined

/** The content of a page. Throws EngineError `too_large`. */
export function readPageStream(
  document: PdfDocument,
  page: Page,
  decode: DecodeContent = decodeContent,
): ContentStream {
  const resources = document.peekDict(page.attribute(Name.Resources))
  return {
    ...joinPageContent(document, page, decode),
    kind: 'page',
    page,
    object: page.ref,
    dict: page.dict,
    resources,
    pageResources: resources,
    hasOwnResources: page.dict.has(Name.Resources),
    parent: undefined,
    depth: 0,
  }
}

/**
 * Joins the streams of a page, as if white space were between them (ISO 32000-2, 7.8.2). Leaves out streams that can't
 * be decoded, because viewers show nothing for them.
 */
function joinPageContent(
  document: PdfDocument,
  page: Page,
  decode: DecodeContent,
): Pick<ContentStream, 'bytes' | 'isWhole'> {
  const decoded = contentsOf(document, page).map(value => decode(document, value))
  const parts = decoded.filter(part => part !== undefined)
  const [only] = parts
  const bytes = only && parts.length === 1 ? only : Buffer.concat(parts.flatMap(part => [part, NEW_LINE]))
  return { bytes, isWhole: parts.length === decoded.length }
}

const NEW_LINE = Buffer.from('\n')
