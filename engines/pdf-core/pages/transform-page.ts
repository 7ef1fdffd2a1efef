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
import { ObjectCopies } from '../document/object-copies'
import * as Name from '../syntax/names'

/** Boxes that go along with the content. */
const INNER_BOXES = ['BleedBox', 'TrimBox', 'ArtBox'].map(name => PDFName.of(name))

/** Where a page's content goes. */
export interface Placement {
  /** From user space as it is to user space as it will be; it scales and moves, and turns by quarters if at all. */
  matrix: Matrix
  /** What the page shows from now on, in its new user space; when omitted, its boxes go along with the content. */
  box?: Box
  /** What of the content stays visible, in user space as it is: the rest would come to light on a larger page. */
  clip?: Box
}

/**
 * Moves all that is on these pages: content with its patterns, annotations, boxes, article beads, viewports with what
 * they measure, places and lengths of tags, and wherever links, bookmarks and actions lead to on them. What others may
 * use stays as it is and is copied. /Rotate and /UserUnit stay. Call it once for all pages that move.
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
  /** Operators around contents, which pages share, by their text. */
  private readonly streams = new Map<string, PDFRef>()
  private readonly moved = new Set<PDFObject>()

  constructor(private readonly document: PdfDocument) {
    this.variants = new ObjectCopies(document)
  }

  /** Gives what the page shows now. */
  move(page: Page, { matrix, box, clip }: Placement): Box {
    const { document } = this
    const dict = document.edit(page.ref)
    this.wrapContent(page, dict, { matrix, clip })
    this.movePatterns(page, dict, matrix)
    this.moveAnnotations(page, matrix)
    const shown = this.moveBoxes(page, dict, { matrix, box })
    for (const bead of document.peekArray(dict.get(Name.B))?.asArray() ?? [])
      if (bead instanceof PDFRef) this.moveBead(bead, matrix)
    this.moveViewports(dict, matrix)
    // A small picture of the page as it was; readers make their own.
    dict.delete(Name.Thumb)
    return shown
  }

  /** The page's content between operators that save the state, set the matrix, and restore the state. */
  private wrapContent(page: Page, dict: PDFDict, { matrix, clip }: { matrix: Matrix; clip: Box | undefined }): void {
    const { document } = this
    const given = contentsOf(document, page)
    if (given.length === 0) return
    const { contents, closing } = balanceContent(document, given)
    const window = clip ? `${writeNumbers([clip.x, clip.y, clip.width, clip.height])} re W n\n` : ''
    const opening = `q\n${writeNumbers(matrix)} cm\n${window}`
    dict.set(Name.Contents, document.context.obj([this.stream(opening), ...contents, this.stream(`${closing}Q\n`)]))
  }

  private stream(text: string): PDFRef {
    const made = this.streams.get(text) ?? addContentStream(this.document, text)
    this.streams.set(text, made)
    return made
  }

  /** Patterns lie on the page itself, whatever matrix its content sets (ISO 32000-2, 8.7.2). */
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
    const own = PDFDict.fromMapWithContext(new Map(resources.entries()), document.context)
    own.set(Name.Pattern, PDFDict.fromMapWithContext(new Map(moved), document.context))
    dict.set(Name.Resources, own)
  }

  /** Direct ones become objects of their own, so that what they lead to has an owner. */
  private moveAnnotations(page: Page, matrix: Matrix): void {
    const { document, variants } = this
    const annotations = annotationsOf(document, page)
    const moved = annotations.map(annotation => {
      const dict = document.peekDict(annotation)
      if (!dict || this.moved.has(annotation)) return annotation
      const ref =
        annotation instanceof PDFRef
          ? annotation
          : document.register(PDFDict.fromMapWithContext(new Map(dict.entries()), document.context))
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
      const given = readBox(document, dict.get(key))
      const inner = given && intersectBoxes(mapBox(matrix, given), shown)
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

  /** Parts of the page that are measured, as on maps and plans (ISO 32000-2, 12.9). */
  private moveViewports(page: PDFDict, matrix: Matrix): void {
    const { document } = this
    const viewports = document.peekArray(page.get(Name.VP))?.asArray()
    if (!viewports) return
    const moved = viewports.flatMap(value => {
      const dict = document.peekDict(value)
      const box = readBox(document, dict?.get(Name.BBox))
      if (!dict || !box) return []
      const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), document.context)
      copy.set(Name.BBox, writeBox(document, mapBox(matrix, box)))
      const measure = document.peekDict(dict.get(Name.Measure))
      if (measure) copy.set(Name.Measure, transformMeasure(document, measure, matrix))
      return [copy]
    })
    page.set(Name.VP, document.context.obj(moved))
  }
}
