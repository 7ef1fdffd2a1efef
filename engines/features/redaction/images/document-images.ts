import { createHash } from 'node:crypto'
import { PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { rewriteInlineImages } from '../../../pdf/clean-data'
import { ContentWalk } from '../../../pdf/walk-content'
import type { StreamWalk } from '../../../pdf/walk-content'
import { findContentStreams, peekContent, readInlineStream, readSize } from '../../../pdf/rewrite-content'
import type { Matrix } from '../../../pdf/geometry'
import { findImages } from '../areas/remove-images'

/** Maximum number of uses of one image that are kept. One that shows the whole image is enough. */
const MOST_USES = 4

/**
 * Inline images of words are longer than high by this factor, or both of their sides have this many pixels. The letters
 * of bitmap fonts are smaller.
 */
const LEAST_ASPECT = 1.5
const LARGE_SIDE = 100

/** A place on a page where an image is drawn. */
export interface ImageUse {
  /** From 0. */
  pageIndex: number
  /** Maps the unit square of the image to default user space of the page. */
  matrix: Matrix
}

/** An image of a document. Images with the same data count as one. */
export interface DocumentImage {
  /** The image XObject. Inline images have the form of one. */
  stream: PDFRawStream
  /** The image XObjects. */
  refs: PDFRef[]
  /** Inline images: their content streams, and their positions among the inline images there, from 0. */
  inline: { ref: PDFRef; position: number }[]
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
  const images = new Map<string, DocumentImage>()
  const hashes = new Map<PDFRef, string>()
  const record = (stream: PDFRawStream): DocumentImage | undefined => {
    const size = readSize(document, stream.dict)
    if (!size || Math.min(size.width, size.height) < leastSide) return undefined
    const hash = hashOf(stream)
    const image = images.get(hash) ?? { stream, refs: [], inline: [], ...size, hash, uses: [] }
    images.set(hash, image)
    return image
  }
  for (const ref of findImages(document)) {
    const stream = document.peek(ref)
    const image = stream instanceof PDFRawStream ? record(stream) : undefined
    if (!image) continue
    image.refs.push(ref)
    hashes.set(ref, image.hash)
  }
  for (const ref of findContentStreams(document))
    rewriteInlineImages(document, peekContent(document, ref), (stream, position) => {
      if (mayShowWords(document, stream)) record(stream)?.inline.push({ ref, position })
      return undefined
    })
  if (images.size > 0) recordUses(document, { images, hashes })
  return [...images.values()]
}

/** Returns whether an inline image isn't as small and square as the letters of bitmap fonts, of which there are many. */
function mayShowWords(document: PdfDocument, { dict }: PDFRawStream): boolean {
  const { width, height } = readSize(document, dict) ?? { width: 0, height: 0 }
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  return short >= LARGE_SIDE || long >= LEAST_ASPECT * short
}

/** The entries of an image that may refer to other objects count by their text. */
function hashOf({ dict, contents }: PDFRawStream): string {
  const entries = dict.entries().map(([key, value]) => `${key.toString()} ${value.toString()}`)
  return createHash('sha256').update(entries.sort().join('\n')).update('\n').update(contents).digest('hex')
}

function recordUses(
  document: PdfDocument,
  { images, hashes }: { images: ReadonlyMap<string, DocumentImage>; hashes: ReadonlyMap<PDFRef, string> },
): void {
  const indexes = new Map(document.pages.map((page, index) => [page, index]))
  const hasInline = [...images.values()].some(({ inline }) => inline.length > 0)
  const hashOfDrawn = (walk: StreamWalk): string | undefined => {
    const { reader } = walk
    if (reader.operator === 'BI' && hasInline) return hashOf(readInlineStream(document, reader, () => undefined))
    const value = reader.operator === 'Do' ? walk.resource('XObject', reader.name) : undefined
    return value instanceof PDFRef ? hashes.get(value) : undefined
  }
  const walk = new ContentWalk(document, {
    decode: decodeUpToLimit,
    enter: ({ kind }) => (kind === 'form' || kind === 'appearance' ? '' : undefined),
    operator(current) {
      const image = images.get(hashOfDrawn(current) ?? '')
      const pageIndex = indexes.get(current.stream.page)
      if (image && pageIndex !== undefined && image.uses.length < MOST_USES)
        image.uses.push({ pageIndex, matrix: [...current.state.matrix] })
    },
  })
  for (const page of document.pages) {
    walk.readPage(page)
    walk.readAppearances(page)
  }
}
