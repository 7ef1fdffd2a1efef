import { createHash } from 'node:crypto'
import { PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { ContentWalk } from '../../../pdf/walk-content'
import { readSize } from '../../../pdf/rewrite-content'
import type { Matrix } from '../../../pdf/geometry'
import { findImages } from '../areas/remove-images'

/** Maximum number of uses of one image that are kept. One that shows the whole image is enough. */
const MOST_USES = 4

/** A place on a page where an image is drawn. */
export interface ImageUse {
  /** From 0. */
  pageIndex: number
  /** Maps the unit square of the image to default user space of the page. */
  matrix: Matrix
}

/** An image of a document. Images with the same data count as one. */
export interface DocumentImage {
  refs: PDFRef[]
  /** In pixels. */
  width: number
  height: number
  /** Identifies the data of the image. */
  hash: string
  /**
   * Uses in pages, forms and appearances. Uses in patterns, in glyphs and in soft masks aren't listed, and a form that
   * is drawn several times counts once.
   */
  uses: ImageUse[]
}

/**
 * Lists the images of a document whose sides both have `leastSide` pixels, with their uses. Throws EngineError
 * `too-large` if content nests too deep or repeats too often.
 */
export function listImages(document: PdfDocument, leastSide: number): DocumentImage[] {
  const byHash = new Map<string, DocumentImage>()
  const byRef = new Map<PDFRef, DocumentImage>()
  for (const ref of findImages(document)) {
    const stream = document.peek(ref)
    const size = stream instanceof PDFRawStream ? readSize(document, stream.dict) : undefined
    if (!(stream instanceof PDFRawStream) || !size || Math.min(size.width, size.height) < leastSide) continue
    const hash = hashOf(stream)
    const image = byHash.get(hash) ?? { refs: [], ...size, hash, uses: [] }
    image.refs.push(ref)
    byHash.set(hash, image)
    byRef.set(ref, image)
  }
  if (byRef.size > 0) recordUses(document, byRef)
  return [...byHash.values()]
}

/** The entries of an image that may refer to other objects count by their text. */
function hashOf({ dict, contents }: PDFRawStream): string {
  const entries = dict.entries().map(([key, value]) => `${key.toString()} ${value.toString()}`)
  return createHash('sha256').update(entries.sort().join('\n')).update('\n').update(contents).digest('hex')
}

function recordUses(document: PdfDocument, images: ReadonlyMap<PDFRef, DocumentImage>): void {
  const indexes = new Map(document.pages.map((page, index) => [page, index]))
  const walk = new ContentWalk(document, {
    decode: decodeUpToLimit,
    enter: ({ kind }) => (kind === 'form' || kind === 'appearance' ? '' : undefined),
    operator(current) {
      const { reader, stream, state } = current
      if (reader.operator !== 'Do') return
      const value = current.resource('XObject', reader.name)
      const image = value instanceof PDFRef ? images.get(value) : undefined
      const pageIndex = indexes.get(stream.page)
      if (image && pageIndex !== undefined && image.uses.length < MOST_USES)
        image.uses.push({ pageIndex, matrix: [...state.matrix] })
    },
  })
  for (const page of document.pages) {
    walk.readPage(page)
    walk.readAppearances(page)
  }
}
