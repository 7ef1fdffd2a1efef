import { deflateSync, inflateSync } from 'node:zlib'
import { PDFArray, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeUpToLimit } from './decode-content'
import type { PdfDocument } from './document'
import { hasKnownFilters } from './filters'
import { contentsOf } from './page-content'
import type { Page } from './page-tree'

const FILTER = PDFName.of('Filter')
const FLATE = PDFName.of('FlateDecode')

/**
 * Gives pages of a damaged file content that every reader can decode: readers differ in what they make of broken
 * Flate data and of filters that nobody knows, and some refuse the page. What can be read of it stays; streams of other
 * filters stay as they are.
 */
export function mendContents(document: PdfDocument, pages: readonly Page[]): void {
  const refs = new Set(pages.flatMap(page => contentsOf(document, page)).filter(content => content instanceof PDFRef))
  for (const ref of refs) {
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || isReadable(document, stream)) continue
    const data = decodeUpToLimit(document, ref) ?? Buffer.alloc(0)
    document.store.set(ref, PDFRawStream.of(document.context.obj({ Filter: 'FlateDecode' }), deflateSync(data)))
  }
}

function isReadable(document: PdfDocument, { dict, contents }: PDFRawStream): boolean {
  if (!hasKnownFilters(dict, item => document.peek(item))) return false
  const given = document.peek(dict.get(FILTER))
  const filter = given instanceof PDFArray && given.size() === 1 ? document.peek(given.get(0)) : given
  if (filter !== FLATE) return true
  try {
    inflateSync(contents, { maxOutputLength: document.limits.maxStreamBytes })
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' // whoever reads it refuses it
  }
}
