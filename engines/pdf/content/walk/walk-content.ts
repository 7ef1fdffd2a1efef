import { PDFArray, PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../annotations/annotations'
import { fitAppearance } from '../../annotations/appearance'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import { chainMatrices, IDENTITY, readMatrix } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import { TEXT_SHOWING_OPERATORS } from '../../syntax/content-operators'
import * as Name from '../../syntax/names'
import { ContentAmount } from './content-limits'
import { readPageStream } from './content-stream'
import type { ContentStream, DecodeContent } from './content-stream'
import { initialState } from './graphics-state'
import type { ColorUse, GraphicsState } from './graphics-state'
import { StreamWalk } from './stream-walk'

/** Maximum nesting of an appearance dictionary (ISO 32000-2, 12.5.5): its states, and their streams. */
const APPEARANCE_DEPTH = 2

const NOTHING = new Uint8Array(0)

/** The operators that `descend` knows. */
const DRAWS_STREAMS = new Set(['Do', 'scn', 'SCN', 'gs', ...TEXT_SHOWING_OPERATORS])

/** A stream that another one draws, before it is read. */
export interface StreamUse {
  kind: ContentStream['kind']
  page: Page
  /** The reference to the stream, or the stream itself. */
  value: PDFObject | undefined
  form: PDFRawStream
  /** The graphics state at the start of the stream. */
  state: GraphicsState
  /** The stream that draws it. Undefined for an appearance. */
  parent: StreamWalk | undefined
}

/** Receives the content of a document, operator by operator. */
export interface ContentVisitor {
  /** Called before the first operator of a stream. */
  begin?(walk: StreamWalk): void
  operator?(walk: StreamWalk): void
  /** Called after the last operator of a stream, and after all streams that it draws. */
  end?(walk: StreamWalk): void
  /**
   * Returns what the content of a stream depends on besides its resources. A stream that is drawn twice is only read
   * again if this differs. Undefined means that the stream isn't read. Without this function, each stream is read once
   * for each of its resources.
   */
  enter?(use: StreamUse, walk: ContentWalk): string | undefined
  /** Decodes a stream. Default: `decodeContent`. */
  decode?: DecodeContent
  /**
   * `false` if neither the graphics state nor the glyphs of Type 3 fonts matter. The state then only has the latest
   * pattern. Default: `true`.
   */
  needsState?: boolean
}

/**
 * Walks the content of every page and of all annotations' appearances, and with it the form XObjects, tiling patterns,
 * soft masks and Type 3 glyphs that are drawn. Content that isn't drawn isn't read. Throws EngineError `too_large` if
 * content nests too deep or repeats too often.
 */
export function walkContent(document: PdfDocument, visitor: ContentVisitor): void {
  const walk = new ContentWalk(document, visitor)
  for (const page of document.pages) {
    walk.readPage(page)
    walk.readAppearances(page)
  }
}

/** A walk through some pages. A stream that was read once isn't read again, unless its conditions differ. */
export class ContentWalk {
  private readonly visited = new Set<string>()
  private readonly ids = new Map<PDFObject, number>()
  private readonly decode: DecodeContent
  private readonly amount: ContentAmount

  constructor(
    private readonly document: PdfDocument,
    private readonly visitor: ContentVisitor,
  ) {
    this.amount = new ContentAmount(document)
    this.decode = visitor.decode ?? decodeContent
  }

  /** Walks the content of a page. Throws EngineError `too_large`. */
  readPage(page: Page): void {
    this.read(readPageStream(this.document, page, this.decode), initialState())
  }

  /** Walks the appearances of a page's annotations. Throws EngineError `too_large`. */
  readAppearances(page: Page): void {
    const { document } = this
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      const forms = (document.peekDict(annotation?.get(Name.AP))?.values() ?? []).flatMap(one => this.listForms(one, 1))
      for (const form of forms) {
        const fit = fitAppearance(document, annotation as PDFDict, form.form.dict, 0) ?? IDENTITY // has /AP
        const state = this.stateOf(form.form, initialState(), fit)
        this.enter({ ...form, kind: 'appearance', page, state, parent: undefined })
      }
    }
  }

  /** Walks a form XObject that no content draws, such as the icon of a button. Throws EngineError `too_large`. */
  readForm(value: PDFObject | undefined, page: Page): void {
    const form = this.document.peek(value)
    if (!(form instanceof PDFRawStream)) return
    const state = this.stateOf(form, initialState(), IDENTITY)
    this.enter({ kind: 'appearance', page, value, form, state, parent: undefined })
  }

  /** A number for an object. The same object always has the same number. */
  idOf(object: PDFObject | undefined): number {
    if (!object) return -1
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }

  /** The stream itself, or the streams of the states of an appearance. */
  private listForms(value: PDFObject, depth: number): Pick<StreamUse, 'value' | 'form'>[] {
    const form = this.document.peek(value)
    if (form instanceof PDFRawStream) return [{ value, form }]
    if (!(form instanceof PDFDict) || depth >= APPEARANCE_DEPTH) return []
    return form.values().flatMap(state => this.listForms(state, depth + 1))
  }

  /** Reads a stream that has its own dictionary, unless it was read before under the same conditions. */
  private enter(use: StreamUse, inherited?: PDFDict): void {
    const { document } = this
    const { kind, page, value, form, state, parent } = use
    const own = document.peekDict(form.dict.get(Name.Resources))
    const pageResources = parent?.stream.pageResources ?? document.peekDict(page.attribute(Name.Resources))
    const resources = own ?? inherited ?? parent?.stream.resources ?? pageResources
    const key = this.visitor.enter ? this.visitor.enter(use, this) : ''
    if (key === undefined) return
    const conditions = `${this.idOf(form)} ${own ? '' : this.idOf(resources)} ${key}`
    if (this.visited.has(conditions)) return
    this.visited.add(conditions)
    const bytes = this.decode(document, value)
    const stream: ContentStream = {
      kind,
      page,
      object: value instanceof PDFRef ? value : parent?.stream.object,
      dict: form.dict,
      bytes: bytes ?? NOTHING,
      isWhole: bytes !== undefined,
      resources,
      pageResources,
      hasOwnResources: own !== undefined,
      parent: parent?.stream,
      depth: parent ? parent.stream.depth + 1 : 0,
    }
    this.read(stream, state)
  }

  private read(stream: ContentStream, state: GraphicsState): void {
    const { document, visitor } = this
    this.amount.add(stream)
    const walk = new StreamWalk(document, stream, state)
    visitor.begin?.(walk)
    walk.run(() => {
      visitor.operator?.(walk)
      if (DRAWS_STREAMS.has(walk.reader.operator) && !walk.skipsColor) this.descend(walk)
    }, visitor.needsState)
    visitor.end?.(walk)
  }

  /** Reads the streams that an operator draws with. */
  private descend(walk: StreamWalk): void {
    const { document } = this
    const { reader, state } = walk
    switch (reader.operator) {
      case 'Do': {
        const value = walk.resource('XObject', reader.name)
        const form = document.peek(value)
        if (form instanceof PDFRawStream && document.peek(form.dict.get(Name.Subtype)) === Name.Form)
          this.draw(walk, 'form', value, state)
        return
      }
      case 'scn':
        return this.drawPattern(walk, state.fill)
      case 'SCN':
        return this.drawPattern(walk, state.stroke)
      case 'gs': {
        const parameters = document.peekDict(walk.resource('ExtGState', reader.name))
        return this.draw(walk, 'mask', document.peekDict(parameters?.get(Name.SMask))?.get(Name.G), state)
      }
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        return this.drawGlyphs(walk)
    }
  }

  private drawPattern(walk: StreamWalk, use: ColorUse): void {
    const { document } = this
    const { initial } = walk
    const pattern = document.peek(use.pattern)
    if (!(pattern instanceof PDFRawStream)) return
    // Uncolored patterns are painted in the color space under /Pattern.
    const underlying = use.space instanceof PDFArray ? document.peek(use.space.asArray()[1]) : undefined
    const color = underlying && { ...use, space: underlying, pattern: undefined }
    const ignoresColor = initial.ignoresColor || document.peekNumber(pattern.dict.get(Name.PaintType)) === 2
    const colors = { fill: color ?? initial.fill, stroke: color ?? initial.stroke, ignoresColor }
    this.draw(walk, 'pattern', use.pattern, { ...initial, ...colors })
  }

  private drawGlyphs(walk: StreamWalk): void {
    const { document } = this
    const { font, state } = walk
    if (!font || document.peek(font.get(Name.Subtype)) !== Name.Type3) return
    // Glyphs use the resources of their font, or else the resources of the page (ISO 32000-2, table 110).
    const resources = document.peekDict(font.get(Name.Resources))
    const start = { ...state, hasFont: false, fontValue: undefined, fontName: undefined }
    for (const value of document.peekDict(font.get(Name.CharProcs))?.values() ?? [])
      this.draw(walk, 'glyph', value, start, resources)
  }

  private draw(
    parent: StreamWalk,
    kind: ContentStream['kind'],
    value: PDFObject | undefined,
    state: GraphicsState,
    inherited?: PDFDict,
  ): void {
    const form = this.document.peek(value)
    if (!(form instanceof PDFRawStream)) return
    const start = kind === 'glyph' ? state : this.stateOf(form, state, state.matrix)
    const { page } = parent.stream
    this.enter({ kind, page, value, form, state: start, parent }, inherited)
  }

  private stateOf(form: PDFRawStream, state: GraphicsState, matrix: Matrix): GraphicsState {
    return { ...state, matrix: chainMatrices(readMatrix(this.document, form.dict.get(Name.Matrix)), matrix) }
  }
}
