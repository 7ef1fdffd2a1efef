import { deflateSync } from 'node:zlib'
import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../errors'
import { annotationsOf, setAnnotations } from './annotations'
import { scanContent } from './content-scan'
import type { ContentFacts } from './content-scan'
import type { PdfDocument } from './document'
import { decodeStream } from './filters'
import { intersectBoxes, readBox, writeBox } from './frame'
import type { Box, Matrix } from './frame'
import { chainMatrices, mapBoxAround, writeNumbers } from './matrix'
import type { Page } from './page-tree'
import { transformAnnotation } from './transform-annotation'
import type { TurnedForms } from './transform-annotation'
import { transformDestinations } from './transform-destinations'

const CONTENTS = PDFName.of('Contents')
const RESOURCES = PDFName.of('Resources')
const PATTERN = PDFName.of('Pattern')
const MATRIX = PDFName.of('Matrix')
const MEDIA_BOX = PDFName.of('MediaBox')
const CROP_BOX = PDFName.of('CropBox')
const BEADS = PDFName.of('B')
const BEAD_RECT = PDFName.of('R')
const VIEWPORTS = PDFName.of('VP')
const BBOX = PDFName.of('BBox')

/** Boxes that go along with the content. */
const INNER_BOXES = ['BleedBox', 'TrimBox', 'ArtBox'].map(name => PDFName.of(name))

/** Where a page's content goes. */
export interface Placement {
  /** From user space as it is to user space as it will be; it scales and moves, and turns by quarters if at all. */
  matrix: Matrix
  /** What the page shows from now on, in its new user space. */
  box: Box
  /** What of the content stays visible, in user space as it is: the rest would come to light on a larger page. */
  clip?: Box
}

/**
 * Moves all that is on these pages: content with its patterns, annotations, boxes, article beads, viewports, and wherever
 * links, bookmarks and actions lead to on them. The pages' /Rotate and /UserUnit stay as they are. Call it once for all
 * pages that move: each place that is led to is moved with every call.
 */
export function transformPages(document: PdfDocument, placements: ReadonlyMap<Page, Placement>): void {
  const mover = new PageMover(document)
  for (const [page, placement] of placements) mover.move(page, placement)
  transformDestinations(document, new Map([...placements].map(([page, { matrix }]) => [page.ref, matrix])))
}

class PageMover {
  /** Content and patterns that pages share, by what they are made from. */
  private readonly made = new Map<string, PDFRef>()
  private readonly forms: TurnedForms = new Map()
  private readonly moved = new Set<PDFObject>()

  constructor(private readonly document: PdfDocument) {}

  move(page: Page, { matrix, box, clip }: Placement): void {
    const { document } = this
    const contents = this.wrapContent(page, matrix, clip)
    this.moveAnnotations(page, matrix)
    const dict = document.edit(page.ref)
    const shown = writeBox(document, box)
    for (const key of INNER_BOXES) {
      const given = readBox(document, dict.get(key))
      const inner = given && intersectBoxes(mapBoxAround(matrix, given), box)
      if (inner) dict.set(key, writeBox(document, inner))
      else dict.delete(key)
    }
    dict.set(MEDIA_BOX, shown)
    dict.set(CROP_BOX, shown)
    if (contents) dict.set(CONTENTS, contents)
    for (const bead of document.peekArray(dict.get(BEADS))?.asArray() ?? []) if (bead instanceof PDFRef) this.moveBox(bead, BEAD_RECT, matrix)
    this.moveViewports(dict, matrix)
  }

  /** The page's content between operators that save the state, set the matrix, and restore the state. */
  private wrapContent(page: Page, matrix: Matrix, clip: Box | undefined): PDFArray | undefined {
    const { document } = this
    const given = page.dict.get(CONTENTS)
    const list = document.peek(given)
    const streams = list instanceof PDFArray ? list.asArray() : given && list instanceof PDFRawStream ? [given] : []
    if (streams.length === 0) return undefined
    const content = this.readContent(streams)
    const facts = content && scanContent(content)
    this.movePatterns(page, matrix, facts)
    const window = clip ? `${writeNumbers([clip.x, clip.y, clip.width, clip.height])} re W n\n` : ''
    const opening = this.addContent(`q\n${writeNumbers(matrix)} cm\n${window}`)
    const closing = this.addContent(`\n${'Q\n'.repeat(1 + Math.min(facts?.open ?? 0, 1000))}`)
    const middle = content && facts?.surplus.length ? [this.addBalanced(content, facts)] : streams
    return document.context.obj([opening, ...middle, closing])
  }

  /** Undefined when a part can't be decoded. */
  private readContent(streams: PDFObject[]): Buffer | undefined {
    const { document } = this
    const parts: Uint8Array[] = []
    let size = 0
    for (const value of streams) {
      const stream = document.peek(value)
      if (!(stream instanceof PDFRawStream)) continue
      const data = this.decode(stream)
      if (!data || (size += data.length) > document.limits.maxStreamBytes) return undefined
      // A token never goes on from one stream to the next (ISO 32000-2, 7.8.2).
      parts.push(data, Buffer.from('\n'))
    }
    return Buffer.concat(parts)
  }

  private decode(stream: PDFRawStream): Uint8Array | undefined {
    const { document } = this
    try {
      const data = decodeStream(stream.dict, stream.contents, value => document.peek(value), document.limits.maxStreamBytes)
      if (data) document.source.count(data.length)
      return data
    } catch (error) {
      if (isEngineError(error) && error.reason === 'too-large') return undefined // it is wrapped unread
      throw error
    }
  }

  /** Readers pass over a `Q` that restores nothing; inside of our `q` it would take the matrix away. */
  private addBalanced(content: Buffer, { surplus }: ContentFacts): PDFRef {
    for (const at of surplus) content[at] = 0x20
    return this.document.register(PDFRawStream.of(this.document.context.obj({ Filter: 'FlateDecode' }), deflateSync(content)))
  }

  private addContent(text: string): PDFRef {
    const known = this.made.get(text)
    if (known) return known
    const ref = this.document.register(PDFRawStream.of(PDFDict.withContext(this.document.context), Buffer.from(text, 'latin1')))
    this.made.set(text, ref)
    return ref
  }

  /** Patterns lie on the page itself, whatever matrix its content sets (ISO 32000-2, 8.7.2). */
  private movePatterns(page: Page, matrix: Matrix, facts: ContentFacts | undefined): void {
    const { document } = this
    const resources = document.peekDict(page.attribute(RESOURCES))
    const patterns = document.peekDict(resources?.get(PATTERN))
    if (!resources || !patterns) return
    // Names with escapes may be written in several ways.
    const isUsed = (key: PDFName): boolean => !facts || facts.names.has(key.asString().slice(1)) || facts.names.has(key.decodeText()) || key.asString().includes('#')
    const copies = patterns.entries().filter(([key]) => isUsed(key))
    if (copies.length === 0) return
    const moved = PDFDict.fromMapWithContext(new Map(patterns.entries()), document.context)
    for (const [key, value] of copies) moved.set(key, this.movedPattern(value, matrix))
    const own = PDFDict.fromMapWithContext(new Map(resources.entries()), document.context)
    own.set(PATTERN, moved)
    document.edit(page.ref).set(RESOURCES, own)
  }

  private movedPattern(value: PDFObject, matrix: Matrix): PDFObject {
    const { document } = this
    const pattern = document.peek(value)
    const dict = document.peekDict(value)
    if (!dict) return value
    const name = value instanceof PDFRef ? `pattern ${value.objectNumber} ${writeNumbers(matrix)}` : undefined
    const known = name && this.made.get(name)
    if (known) return known
    const given = document.peekArray(dict.get(MATRIX))?.asArray().map(item => document.peekNumber(item) ?? 0) ?? []
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = given.length === 6 ? given : []
    const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), document.context)
    copy.set(MATRIX, document.context.obj(chainMatrices([a, b, c, d, e, f], matrix).map(number => Math.round(number * 1e6) / 1e6)))
    const ref = document.register(pattern instanceof PDFRawStream ? PDFRawStream.of(copy, pattern.contents) : copy)
    if (name) this.made.set(name, ref)
    return ref
  }

  private moveAnnotations(page: Page, matrix: Matrix): void {
    const { document, forms } = this
    const annotations = annotationsOf(document, page)
    let hasDirect = false
    const moved = annotations.map(annotation => {
      if (annotation instanceof PDFDict) {
        hasDirect = true
        const copy = PDFDict.fromMapWithContext(new Map(annotation.entries()), document.context)
        transformAnnotation(document, copy, { matrix, forms })
        return copy
      }
      if (annotation instanceof PDFRef && document.peekDict(annotation) && !this.moved.has(annotation)) {
        this.moved.add(annotation)
        transformAnnotation(document, document.edit(annotation), { matrix, forms })
      }
      return annotation
    })
    if (hasDirect) setAnnotations(document, page, moved)
  }

  private moveBox(ref: PDFRef, key: PDFName, matrix: Matrix): void {
    const { document } = this
    const box = readBox(document, document.peekDict(ref)?.get(key))
    if (!box || this.moved.has(ref)) return
    this.moved.add(ref)
    document.edit(ref).set(key, writeBox(document, mapBoxAround(matrix, box)))
  }

  /** Parts of the page that are measured, as on maps and plans (ISO 32000-2, 12.9). */
  private moveViewports(page: PDFDict, matrix: Matrix): void {
    const { document } = this
    const viewports = document.peekArray(page.get(VIEWPORTS))?.asArray()
    if (!viewports) return
    const moved = viewports.flatMap(value => {
      const dict = document.peekDict(value)
      const box = readBox(document, dict?.get(BBOX))
      if (!dict || !box) return []
      const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), document.context)
      copy.set(BBOX, writeBox(document, mapBoxAround(matrix, box)))
      return [copy]
    })
    page.set(VIEWPORTS, document.context.obj(moved))
  }
}
