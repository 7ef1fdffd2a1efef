import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf, separateAnnotations, setAnnotations } from '../annotations/annotations'
import { intersectBoxes, readBox, writeBox } from '../geometry/box'
import type { Box } from '../geometry/box'
import { balanceContent } from '../content/balance-content'
import type { PdfDocument } from '../document/document'
import { measureFrame } from '../geometry/frame'
import { chainMatrices, mapBox, readMatrix, writeMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { writeNumbers } from '../syntax/number-text'
import { addContentStream } from '../content/page-content'
import { contentsOf } from '../document/contents-of'
import type { Page } from '../document/page-tree'
import { transformAnnotation } from './transform-annotation'
import { transformDestinations } from './transform-destinations'
import type { Move } from './transform-destinations'
import { transformMeasure } from './transform-measure'
import { transformTags } from './transform-tags'
import { copyDict, ObjectCopies } from '../document/object-copies'
import * as Name from '../syntax/names'

/** Boxes that are transformed with the content. */
const INNER_BOXES = ['BleedBox', 'TrimBox', 'ArtBox'].map(name => PDFName.of(name))

/** How to transform a page. */
export interface Placement {
  /** Maps old user space to new user space. May scale, move and rotate by quarter turns. */
  matrix: Matrix
  /** The visible box in new user space. If undefined, the page's boxes are transformed with the content. */
  box?: Box
  /**
   * Clips the content to this box in old user space. Otherwise hidden content could become visible on a larger page.
   */
  clip?: Box
}

/**
 * Transforms everything on these pages: content with its patterns, annotations, boxes, article beads, viewports with
 * their measures, coordinates and lengths in tags, and destinations on the pages. Objects that others may share are
 * copied. /Rotate and /UserUnit don't change. Call it once for all pages.
 */
export function transformPages(document: PdfDocument, placements: ReadonlyMap<Page, Placement>): void {
  separateAnnotations(document, placements.keys())
  const mover = new PageMover(document)
  const moves = new Map<PDFRef, Move>()
  for (const [page, placement] of placements)
    moves.set(page.ref, { matrix: placement.matrix, box: mover.move(page, placement) })
  transformDestinations(document, moves)
  transformTags(document, new Map([...moves].map(([ref, { matrix }]) => [ref, matrix])))
}

class PageMover {
  private readonly variants: ObjectCopies
  /** Streams with the operators around page contents, by their text. Pages share them. */
  private readonly streams = new Map<string, PDFRef>()
  private readonly moved = new Set<PDFObject>()

  constructor(private readonly document: PdfDocument) {
    this.variants = new ObjectCopies(document)
  }

  /** Transforms a page and returns its visible box. */
  move(page: Page, { matrix, box, clip }: Placement): Box {
    const { document } = this
    const dict = document.edit(page.ref)
    this.wrapContent(page, dict, { matrix, clip })
    this.movePatterns(page, dict, matrix)
    this.moveAnnotations(page, matrix)
    const shown = this.moveBoxes(page, dict, { matrix, box })
    for (const bead of document.peekItems(dict.get(Name.B))) if (bead instanceof PDFRef) this.moveBead(bead, matrix)
    this.moveViewports(dict, matrix)
    // The thumbnail is outdated. Readers create their own.
    dict.delete(Name.Thumb)
    return shown
  }

  /** Encloses the page's content in operators that save the state, set the matrix, and restore the state. */
  private wrapContent(page: Page, dict: PDFDict, { matrix, clip }: { matrix: Matrix; clip: Box | undefined }): void {
    const { document } = this
    const streams = contentsOf(document, page)
    if (streams.length === 0) return
    const { contents, closing } = balanceContent(document, streams)
    const clipping = clip ? `${writeNumbers([clip.x, clip.y, clip.width, clip.height])} re W n\n` : ''
    const opening = `q\n${writeNumbers(matrix)} cm\n${clipping}`
    dict.set(Name.Contents, document.context.obj([this.stream(opening), ...contents, this.stream(`${closing}Q\n`)]))
  }

  private stream(text: string): PDFRef {
    const stream = this.streams.get(text) ?? addContentStream(this.document, text)
    this.streams.set(text, stream)
    return stream
  }

  /** Transforms patterns. They refer to the page's coordinates and ignore the content's matrix (ISO 32000-2, 8.7.2). */
  private movePatterns(page: Page, dict: PDFDict, matrix: Matrix): void {
    const { document } = this
    const resources = document.peekDict(page.attribute(Name.Resources))
    const patterns = document.peekDict(resources?.get(Name.Pattern))
    if (!resources || !patterns) return
    const change = (pattern: PDFDict): [PDFName, PDFObject][] => [
      [Name.Matrix, writeMatrix(document, chainMatrices(readMatrix(document, pattern.get(Name.Matrix)), matrix))],
    ]
    const moved = patterns.entries().map(([name, value]): [PDFName, PDFObject] => {
      if (value instanceof PDFRef) return [name, this.variants.copy(value, writeNumbers(matrix), change) ?? value]
      if (!(value instanceof PDFDict)) return [name, value]
      return [name, PDFDict.fromMapWithContext(new Map([...value.entries(), ...change(value)]), document.context)]
    })
    const ownResources = copyDict(document, resources)
    ownResources.set(Name.Pattern, PDFDict.fromMapWithContext(new Map(moved), document.context))
    dict.set(Name.Resources, ownResources)
  }

  /** Transforms annotations. Direct annotations become indirect, because `transformDestinations` needs an owner. */
  private moveAnnotations(page: Page, matrix: Matrix): void {
    const { document, variants } = this
    const annotations = annotationsOf(document, page)
    const moved = annotations.map(annotation => {
      const dict = document.peekDict(annotation)
      if (!dict || this.moved.has(annotation)) return annotation
      const ref = annotation instanceof PDFRef ? annotation : document.register(copyDict(document, dict))
      this.moved.add(ref)
      transformAnnotation(document, document.edit(ref), { matrix, variants })
      return ref
    })
    if (moved.some((annotation, index) => annotation !== annotations[index])) setAnnotations(document, page, moved)
  }

  private moveBoxes(page: Page, dict: PDFDict, { matrix, box }: { matrix: Matrix; box: Box | undefined }): Box {
    const { document } = this
    const media = readBox(document, page.attribute(Name.MediaBox)) ?? measureFrame(document, page).visible
    const shown = box ?? mapBox(matrix, media)
    const crop = box ?? readBox(document, page.attribute(Name.CropBox))
    dict.set(Name.MediaBox, writeBox(document, shown))
    if (crop) dict.set(Name.CropBox, writeBox(document, box ?? mapBox(matrix, crop)))
    for (const key of INNER_BOXES) {
      const oldBox = readBox(document, dict.get(key))
      const inner = oldBox && intersectBoxes(mapBox(matrix, oldBox), shown)
      if (inner) dict.set(key, writeBox(document, inner))
      else dict.delete(key)
    }
    return shown
  }

  private moveBead(ref: PDFRef, matrix: Matrix): void {
    const { document } = this
    const box = readBox(document, document.peekDict(ref)?.get(Name.R))
    if (!box || this.moved.has(ref)) return
    this.moved.add(ref)
    document.edit(ref).set(Name.R, writeBox(document, mapBox(matrix, box)))
  }

  /** Transforms viewports, which are measurable parts of the page, as on maps and plans (ISO 32000-2, 12.9). */
  private moveViewports(page: PDFDict, matrix: Matrix): void {
    const { document } = this
    const viewports = document.peekArray(page.get(Name.VP))?.asArray()
    if (!viewports) return
    const moved = viewports.flatMap(value => {
      const dict = document.peekDict(value)
      const box = readBox(document, dict?.get(Name.BBox))
      if (!dict || !box) return []
      const copy = copyDict(document, dict)
      copy.set(Name.BBox, writeBox(document, mapBox(matrix, box)))
      const measure = document.peekDict(dict.get(Name.Measure))
      if (measure) copy.set(Name.Measure, transformMeasure(document, measure, matrix))
      return [copy]
    })
    page.set(Name.VP, document.context.obj(moved))
  }
}
