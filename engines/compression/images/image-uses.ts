import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { ContentFilter } from '../../content/content-filter'
import { Fonts } from '../../content/fonts/fonts'
import { initialState } from '../../content/graphics-state'
import type { GraphicsState } from '../../content/graphics-state'
import type { InterpreterState } from '../../content/interpreter-state'
import { StreamInterpreter } from '../../content/stream-interpreter'
import type { Painters } from '../../content/stream-interpreter'
import { StreamResources } from '../../content/stream-resources'
import { MarkedContentChanges } from '../../content/tags/tag-changes'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import { fitAppearance } from '../../pdf-core/content/appearance'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { Page } from '../../pdf-core/document/page-tree'
import { chainMatrices, readMatrix } from '../../pdf-core/geometry/matrix'
import type { Matrix } from '../../pdf-core/geometry/matrix'
import * as Name from '../../pdf-core/syntax/names'

/** The largest size at which a document draws an image, in inches. */
export interface DrawnSize {
  width: number
  height: number
}

const POINTS_PER_INCH = 72
const USER_UNIT = PDFName.of('UserUnit')

/** Maximum nesting of form XObjects. Viewers have similar limits. */
const MAX_DEPTH = 28

/** Cost of processing a stream, in addition to its length. */
const BYTES_PER_STREAM = 1000

/** Nesting of an appearance dictionary: its states, and their streams. */
const APPEARANCE_DEPTH = 3

/** Keeps all content. */
const KEEP: ContentFilter = {
  key: 'keep',
  area: undefined,
  decide: () => 'keep',
  cutImage: ({ width, height }) => ({ left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }),
  sidesOf: () => 0,
}

/**
 * Measures the largest size at which pages, form XObjects, tiling patterns, soft masks and annotations draw each image.
 * Images inside glyphs of Type 3 fonts aren't measured. Undefined if the content is too large to be measured completely.
 */
export function measureImageUses(document: PdfDocument): Map<PDFObject, DrawnSize> | undefined {
  const uses = new ImageUses(document)
  for (const page of document.pages) uses.readPage(page)
  return uses.isComplete ? uses.sizes : undefined
}

class ImageUses implements Painters {
  readonly sizes = new Map<PDFObject, DrawnSize>()
  isComplete = true
  private readonly fonts: Fonts
  private readonly read = new Set<string>()
  private readonly ids = new Map<PDFObject, number>()
  private unit = 1
  private depth = 0
  private budget: number

  constructor(private readonly document: PdfDocument) {
    this.fonts = new NoFonts(document)
    this.budget = document.limits.maxInflateBytes
  }

  readPage(page: Page): void {
    const { document } = this
    const unit = document.peekNumber(page.dict.get(USER_UNIT)) ?? 1
    this.unit = (unit > 0 ? unit : 1) / POINTS_PER_INCH
    const contents = document.peek(page.dict.get(Name.Contents))
    const items = document.peekArray(contents)?.asArray() ?? [contents]
    const parts = items.flatMap(item => [decodeUpToLimit(document, item) ?? new Uint8Array(0), Buffer.from('\n')])
    this.interpret(Buffer.concat(parts), document.peekDict(page.attribute(Name.Resources)), initialState())
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      if (annotation) this.readAppearances(annotation, annotation.get(Name.AP), 0)
    }
  }

  drawObject(scene: InterpreterState): void {
    const value = scene.resources.find('XObject', scene.reader.name ?? '')
    const object = this.document.peek(value)
    if (!(object instanceof PDFRawStream)) return
    const kind = this.document.peekName(object.dict.get(Name.Subtype))
    if (kind === 'Image') this.note(object, scene.state.matrix)
    else if (kind === 'Form') {
      const matrix = chainMatrices(readMatrix(this.document, object.dict.get(Name.Matrix)), scene.state.matrix)
      this.readForm(object, scene, { ...scene.state, matrix })
    }
  }

  drawInlineImage(): void {
    // Inline images stay in their content stream.
  }

  drawShading(): void {
    // Shadings draw no images.
  }

  useParameters(scene: InterpreterState, parameters: PDFDict): void {
    const mask = this.document.peek(parameters.get(Name.SMask))
    const form = mask instanceof PDFDict ? this.document.peek(mask.get(Name.G)) : undefined
    if (!(form instanceof PDFRawStream)) return
    const matrix = chainMatrices(readMatrix(this.document, form.dict.get(Name.Matrix)), scene.state.matrix)
    this.readForm(form, scene, { ...scene.state, matrix })
  }

  usePattern(scene: InterpreterState): boolean {
    const pattern = this.document.peek(scene.resources.find('Pattern', scene.reader.name ?? ''))
    if (pattern instanceof PDFRawStream) {
      const matrix = chainMatrices(readMatrix(this.document, pattern.dict.get(Name.Matrix)), scene.base)
      this.readForm(pattern, scene, { ...initialState(), matrix })
    }
    return false
  }

  finishPattern(): void {
    // Patterns stay.
  }

  private readAppearances(annotation: PDFDict, value: PDFObject | undefined, depth: number): void {
    const object = this.document.peek(value)
    if (object instanceof PDFRawStream) {
      const fit = fitAppearance(this.document, annotation, object.dict, 0)
      if (!fit) return
      const matrix = chainMatrices(readMatrix(this.document, object.dict.get(Name.Matrix)), fit)
      this.readForm(object, undefined, { ...initialState(), matrix })
    } else if (object instanceof PDFDict && depth < APPEARANCE_DEPTH) {
      for (const inner of object.values()) this.readAppearances(annotation, inner, depth + 1)
    }
  }

  /** Reads a form once for each size, because its place doesn't matter. */
  private readForm(form: PDFRawStream, scene: InterpreterState | undefined, state: GraphicsState): void {
    const own = this.document.peekDict(form.dict.get(Name.Resources))
    const resources = own ?? scene?.resources.dict
    const size = state.matrix.slice(0, 4).map(number => number.toPrecision(5))
    const key = [this.idOf(form), resources ? this.idOf(resources) : '', this.unit, ...size].join(' ')
    if (this.read.has(key)) return
    this.read.add(key)
    if (this.depth >= MAX_DEPTH) {
      this.isComplete = false
      return
    }
    const bytes = decodeUpToLimit(this.document, form)
    if (!bytes) return
    this.depth++
    this.interpret(bytes, resources, state)
    this.depth--
  }

  private interpret(bytes: Uint8Array, resources: PDFDict | undefined, state: GraphicsState): void {
    this.budget -= bytes.length + BYTES_PER_STREAM
    if (this.budget < 0) {
      this.isComplete = false
      return
    }
    const { document } = this
    new StreamInterpreter({
      document,
      bytes,
      resources: new StreamResources(document, resources),
      decider: KEEP,
      state,
      fonts: this.fonts,
      painters: this,
      tags: new MarkedContentChanges(),
      owner: undefined,
    }).run()
  }

  private note(image: PDFRawStream, [a, b, c, d]: Matrix): void {
    const [width, height] = [Math.hypot(a, b) * this.unit, Math.hypot(c, d) * this.unit]
    const known = this.sizes.get(image)
    this.sizes.set(image, {
      width: Math.max(width, known?.width ?? 0),
      height: Math.max(height, known?.height ?? 0),
    })
  }

  private idOf(object: PDFObject): number {
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}

/** Finds the same empty font for every name, because the advance of text moves no image. */
class NoFonts extends Fonts {
  override find(): ReturnType<Fonts['find']> {
    return super.find(undefined)
  }
}
