import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { Variants } from './variants'
import type { PdfDocument } from './document'
import { measureFrame, readBox, rotationOf, writeBox } from './frame'
import type { Page } from './page-tree'
import { Turn, multiply, readMatrix, writeNumbers } from './turn'
import { turnAnnotations } from './turn-annotations'
import { turnDestinations } from './turn-destinations'

const B = PDFName.of('B')
const R = PDFName.of('R')
const VP = PDFName.of('VP')
const BBOX = PDFName.of('BBox')
const THUMB = PDFName.of('Thumb')
const ROTATE = PDFName.of('Rotate')
const CONTENTS = PDFName.of('Contents')
const RESOURCES = PDFName.of('Resources')
const PATTERN = PDFName.of('Pattern')
const MATRIX = PDFName.of('Matrix')
const MEDIA_BOX = PDFName.of('MediaBox')
const CROP_BOX = PDFName.of('CropBox')
const INNER_BOXES = ['BleedBox', 'TrimBox', 'ArtBox'].map(name => PDFName.of(name))

/**
 * Turns the content of pages, with their annotations, boxes and whatever leads to places on them, by their /Rotate, which
 * becomes 0: they look as before. Content streams, patterns and appearances may be used by others and stay as they are;
 * a matrix comes in front of them, or they are copied. Pages that are not turned are not touched.
 */
export function bakeRotations(document: PdfDocument, pages: Iterable<Page>): void {
  const baker = new RotationBaker(document)
  const turns = new Map<PDFRef, Turn>()
  for (const page of pages) {
    const turn = baker.bake(page)
    if (turn) turns.set(page.ref, turn)
  }
  if (turns.size) turnDestinations(document, turns)
}

class RotationBaker {
  private readonly variants: Variants
  private readonly done = new Set<PDFRef>()
  private readonly openings = new Map<string, PDFRef>()

  constructor(private readonly document: PdfDocument) {
    this.variants = new Variants(document)
  }

  /** Gives the turn of a page that was turned. */
  bake(page: Page): Turn | undefined {
    const { document } = this
    const degrees = rotationOf(document, page)
    const dict = document.edit(page.ref)
    // What is no multiple of 90 counts as 0.
    dict.set(ROTATE, PDFNumber.of(0))
    if (degrees === 0) return undefined
    const media = readBox(document, page.attribute(MEDIA_BOX)) ?? measureFrame(document, page).visible
    const turn = new Turn(degrees, media)
    this.turnBoxes(page, dict, turn)
    this.turnPatterns(page, dict, turn)
    this.turnContent(dict, turn)
    turnAnnotations(document, page, turn, { variants: this.variants, done: this.done })
    return turn
  }

  private turnBoxes(page: Page, dict: PDFDict, turn: Turn): void {
    const { document } = this
    dict.set(MEDIA_BOX, writeBox(document, turn.turned))
    const crop = readBox(document, page.attribute(CROP_BOX))
    if (crop) dict.set(CROP_BOX, writeBox(document, turn.box(crop)))
    for (const key of INNER_BOXES) {
      const box = readBox(document, dict.get(key))
      if (box) dict.set(key, writeBox(document, turn.box(box)))
    }
    // A small picture of the page that would lie on its side now; readers make their own.
    dict.delete(THUMB)
    this.turnParts(dict, VP, BBOX, turn)
    this.turnParts(dict, B, R, turn)
  }

  /** Viewports (ISO 32000-2, 12.9) and article beads (12.4.3): dictionaries in an array, each with a rectangle. */
  private turnParts(page: PDFDict, list: PDFName, key: PDFName, turn: Turn): void {
    const { document } = this
    const parts = document.peekArray(page.get(list))?.asArray()
    if (!parts) return
    const turned = parts.map(part => {
      const given = document.peekDict(part)
      const box = readBox(document, given?.get(key))
      if (!given || !box) return part
      const dict = part instanceof PDFRef ? document.edit(part) : PDFDict.fromMapWithContext(new Map(given.entries()), document.context)
      dict.set(key, writeBox(document, turn.box(box)))
      return part instanceof PDFRef ? part : dict
    })
    page.set(list, document.context.obj(turned))
  }

  /** Patterns lie on the page and not on what its content does to the coordinates (ISO 32000-2, 8.7.2). */
  private turnPatterns(page: Page, dict: PDFDict, turn: Turn): void {
    const { document } = this
    const resources = document.peekDict(page.attribute(RESOURCES))
    const patterns = document.peekDict(resources?.get(PATTERN))
    if (!resources || !patterns) return
    const change = (pattern: PDFDict): [PDFName, PDFObject][] => [[MATRIX, writeNumbers(document, multiply(readMatrix(document, pattern.get(MATRIX)), turn.matrix))]]
    const turned = patterns.entries().map(([name, value]): [PDFName, PDFObject] => {
      if (value instanceof PDFRef) return [name, this.variants.copy(value, turn.matrix.join(' '), change) ?? value]
      if (!(value instanceof PDFDict)) return [name, value]
      return [name, PDFDict.fromMapWithContext(new Map([...value.entries(), ...change(value)]), document.context)]
    })
    const own = PDFDict.fromMapWithContext(new Map(resources.entries()), document.context)
    own.set(PATTERN, PDFDict.fromMapWithContext(new Map(turned), document.context))
    dict.set(RESOURCES, own)
  }

  /** Without saving the state before: a `Q` too many in the content would undo the turn. */
  private turnContent(dict: PDFDict, turn: Turn): void {
    const { document } = this
    const given = dict.get(CONTENTS)
    const list = document.peek(given)
    const contents = list instanceof PDFArray ? list.asArray() : given ? [given] : []
    if (contents.length) dict.set(CONTENTS, document.context.obj([this.opening(turn), ...contents]))
  }

  /** The stream that turns what follows it; one for all pages that are turned alike. */
  private opening(turn: Turn): PDFRef {
    const text = `${writeNumbers(this.document, turn.matrix).asArray().join(' ')} cm\n`
    const made = this.openings.get(text) ?? this.document.register(PDFRawStream.of(PDFDict.withContext(this.document.context), Buffer.from(text, 'latin1')))
    this.openings.set(text, made)
    return made
  }
}
