import { PDFArray, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRawStream } from 'pdf-lib'
import { EngineError } from '../../errors'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import { contentsOf } from '../../pdf-core/document/contents-of'
import { decodeContent } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { Page } from '../../pdf-core/document/page-tree'
import { ContentReader } from '../../pdf-core/syntax/content-reader'
import * as Name from '../../pdf-core/syntax/names'
import type { Place } from '../examination/report'
import { objectOf, streamOf } from '../examination/model'
import { DEFAULT_SPACES, startState } from './scene'
import type { ColorUse, ContentListener, ContentStream, PaintState, Scene } from './scene'

/** Maximum nesting of content streams. Conforming files nest more than the 28 levels of some viewers. */
const MAX_DEPTH = 100
/** Maximum number of content streams that are read, counting those that are read again. */
const MAX_STREAMS = 50_000
/** Maximum number of nested `q` that are remembered. */
const MAX_SAVED = 10_000

const DEVICE_SPACES: Record<string, string> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
}

const COLOR_OPERATORS = new Set(['g', 'G', 'rg', 'RG', 'k', 'K', 'cs', 'CS', 'sc', 'SC', 'scn', 'SCN', 'ri', 'sh'])

/**
 * Reads the content of every page and of all annotations' appearances, and with it the form XObjects, tiling patterns,
 * soft masks and Type 3 glyphs that are drawn. Content that isn't drawn isn't read. Throws EngineError `too-large` if
 * content nests too deep or repeats too often.
 */
export function walkContent(document: PdfDocument, listeners: readonly ContentListener[]): void {
  new ContentWalk(document, listeners).run()
}

class ContentWalk {
  private readonly visited = new Set<string>()
  private readonly ids = new Map<PDFObject, number>()
  private count = 0

  constructor(
    readonly document: PdfDocument,
    readonly listeners: readonly ContentListener[],
  ) {}

  run(): void {
    for (const [index, page] of this.document.pages.entries()) {
      const resources = this.document.peekDict(page.attribute(Name.Resources))
      this.readPage(page, index + 1, resources)
      for (const annotation of annotationsOf(this.document, page))
        this.readAppearances(annotation, index + 1, resources)
    }
  }

  private readPage(page: Page, number: number, resources: PDFDict | undefined): void {
    const { document } = this
    const parts = contentsOf(document, page).map(value => decodeContent(document, value))
    const stream: ContentStream = {
      kind: 'page',
      page: number,
      object: page.ref,
      dict: page.dict,
      bytes: parts.includes(undefined) ? undefined : joinParts(parts as Uint8Array[]),
      resources,
      pageResources: resources,
      hasOwnResources: page.dict.has(Name.Resources),
      parent: undefined,
    }
    this.read(stream, startState(), 0)
  }

  private readAppearances(annotation: PDFObject, page: number, pageResources: PDFDict | undefined): void {
    const { document } = this
    const conditions = { kind: 'appearance' as const, page, pageResources, state: startState(), parent: undefined }
    const appearances = document.peekDict(document.peekDict(annotation)?.get(Name.AP))
    for (const value of appearances?.values() ?? []) {
      const stream = streamOf(document, value)
      if (stream) this.readForm(value, stream, conditions)
      else
        for (const state of document.peekDict(value)?.values() ?? []) {
          const form = streamOf(document, state)
          if (form) this.readForm(state, form, conditions)
        }
    }
  }

  /** Reads a stream that has its own dictionary, unless it was read before under the same conditions. */
  readForm(
    value: PDFObject | undefined,
    form: PDFRawStream,
    {
      kind,
      page,
      pageResources,
      state,
      parent,
      depth = 0,
      key = '',
    }: {
      kind: ContentStream['kind']
      page: number
      pageResources: PDFDict | undefined
      state: PaintState
      parent: ContentStream | undefined
      depth?: number
      key?: string
    },
  ): void {
    const { document } = this
    const own = document.peekDict(form.dict.get(Name.Resources))
    const resources = own ?? (kind === 'glyph' ? parent?.resources : pageResources)
    const conditions = [
      kind,
      this.idOf(form),
      own ? '' : this.idOf(resources),
      this.idOf(state.fill.space),
      this.idOf(state.stroke.space),
      state.renderMode,
      state.ignoresColor,
      state.fillOverprint,
      state.strokeOverprint,
      state.overprintMode,
      key,
    ].join(' ')
    if (this.visited.has(conditions)) return
    this.visited.add(conditions)
    this.read(
      {
        kind,
        page,
        object: value instanceof PDFRef ? value : parent?.object,
        dict: form.dict,
        bytes: decodeContent(document, form),
        resources,
        pageResources,
        hasOwnResources: own !== undefined,
        parent,
      },
      { ...state },
      depth,
    )
  }

  private read(stream: ContentStream, state: PaintState, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new EngineError('too-large', `The content of a page nests more than ${MAX_DEPTH} content streams.`)
    if (++this.count > MAX_STREAMS)
      throw new EngineError('too-large', `The pages draw more than ${MAX_STREAMS.toLocaleString('en')} streams.`)
    new StreamWalk(this, stream, state, depth).run()
  }

  private idOf(object: PDFObject | undefined): number {
    if (!object) return -1
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}

/** Reads one content stream. */
class StreamWalk implements Scene {
  readonly reader: ContentReader
  readonly place: Place
  /** The state at the start of the stream. Patterns start with it. */
  private readonly initial: PaintState
  private readonly saved: PaintState[] = []
  private skipped = 0

  constructor(
    private readonly walk: ContentWalk,
    readonly stream: ContentStream,
    public state: PaintState,
    private readonly depth: number,
  ) {
    this.reader = new ContentReader(stream.bytes ?? new Uint8Array(0))
    const object = objectOf(stream.object)
    this.place = { page: stream.page, ...(object !== undefined && { object }) }
    if (!stream.parent) state.fill = state.stroke = this.colorSpace('DeviceGray')
    this.initial = { ...state }
  }

  get document(): PdfDocument {
    return this.walk.document
  }

  get nesting(): number {
    return this.saved.length + this.skipped
  }

  resource(category: string, name: string | undefined): PDFObject | undefined {
    if (name === undefined) return undefined
    const { resources, pageResources } = this.stream
    return this.find(resources, category, name) ?? this.find(pageResources, category, name)
  }

  colorSpace(name: string | undefined): ColorUse {
    const { stream, document } = this
    // Forms without resources don't use the default color spaces of the page.
    const isOwn = stream.hasOwnResources || stream.kind === 'page' || stream.kind === 'glyph'
    const defaults = isOwn ? stream.resources : undefined
    const standard = name === undefined ? undefined : DEFAULT_SPACES.get(name)
    const value =
      standard === undefined ? this.resource('ColorSpace', name) : this.find(defaults, 'ColorSpace', standard)
    const object = value instanceof PDFRef ? value : stream.object
    if (value)
      return { space: document.peek(value), defaults: standard ? undefined : defaults, object, pattern: undefined }
    const isDirect = name !== undefined && (standard !== undefined || name === 'Pattern')
    return { space: isDirect ? PDFName.of(name) : undefined, defaults: undefined, object, pattern: undefined }
  }

  private find(resources: PDFDict | undefined, category: string, name: string): PDFObject | undefined {
    return this.document.peekDict(resources?.get(PDFName.of(category)))?.get(PDFName.of(name))
  }

  run(): void {
    const { listeners } = this.walk
    for (const listener of listeners) listener.begin?.(this)
    while (this.reader.next()) {
      const { operator } = this.reader
      this.update(operator)
      for (const listener of listeners) listener.operator(this)
      if (operator === 'Q') this.restore()
      else this.descend(operator)
    }
    for (const listener of listeners) listener.end?.(this)
  }

  private update(operator: string): void {
    const { reader, state } = this
    if (state.ignoresColor && COLOR_OPERATORS.has(operator)) return
    switch (operator) {
      case 'q':
        if (this.saved.length < MAX_SAVED) {
          this.saved.push(state)
          this.state = { ...state }
        } else this.skipped++
        break
      case 'g':
      case 'rg':
      case 'k':
        state.fill = this.colorSpace(DEVICE_SPACES[operator])
        break
      case 'G':
      case 'RG':
      case 'K':
        state.stroke = this.colorSpace(DEVICE_SPACES[operator])
        break
      case 'cs':
        state.fill = this.colorSpace(reader.name)
        break
      case 'CS':
        state.stroke = this.colorSpace(reader.name)
        break
      case 'scn':
        if (reader.name !== undefined) state.fill = { ...state.fill, pattern: this.resource('Pattern', reader.name) }
        break
      case 'SCN':
        if (reader.name !== undefined)
          state.stroke = { ...state.stroke, pattern: this.resource('Pattern', reader.name) }
        break
      case 'Tf':
        this.setFont(this.resource('Font', reader.nameAt(reader.operands.count - 2)), reader.number(0))
        break
      case 'd1':
        state.ignoresColor = true
        break
      case 'Tr':
        state.renderMode = reader.number(0)
        break
      case 'gs':
        this.useParameters(this.document.peekDict(this.resource('ExtGState', reader.name)))
        break
    }
  }

  private restore(): void {
    if (this.skipped > 0) this.skipped--
    else this.state = this.saved.pop() ?? this.state
  }

  private setFont(value: PDFObject | undefined, size: number): void {
    this.state.font = this.document.peekDict(value)
    this.state.fontRef = value instanceof PDFRef ? value : undefined
    this.state.fontSize = size
  }

  /** Graphics state parameters (ISO 32000-2, table 57). /op has the value of /OP if only that is there. */
  private useParameters(parameters: PDFDict | undefined): void {
    if (!parameters) return
    const { document, state } = this
    const flag = (key: string): boolean | undefined => {
      const value = document.peek(parameters.get(PDFName.of(key)))
      return value === undefined ? undefined : value.toString() === 'true'
    }
    const stroke = flag('OP')
    const fill = flag('op') ?? stroke
    if (stroke !== undefined) state.strokeOverprint = stroke
    if (fill !== undefined) state.fillOverprint = fill
    state.overprintMode = document.peekNumber(parameters.get(PDFName.of('OPM'))) ?? state.overprintMode
    const [font, size] = document.peekArray(parameters.get(Name.Font))?.asArray() ?? []
    if (font) this.setFont(font, size instanceof PDFNumber ? size.asNumber() : state.fontSize)
  }

  /** Reads the streams that an operator draws with. */
  private descend(operator: string): void {
    const { document, reader, state } = this
    if (state.ignoresColor && COLOR_OPERATORS.has(operator)) return
    switch (operator) {
      case 'Do': {
        const value = this.resource('XObject', reader.name)
        const form = streamOf(document, value)
        if (form && document.peekName(form.dict.get(Name.Subtype)) === 'Form') this.enter('form', value, form, state)
        break
      }
      case 'scn':
        this.enterPattern(state.fill)
        break
      case 'SCN':
        this.enterPattern(state.stroke)
        break
      case 'gs': {
        const parameters = document.peekDict(this.resource('ExtGState', reader.name))
        const mask = document.peekDict(parameters?.get(Name.SMask))
        const group = streamOf(document, mask?.get(Name.G))
        if (group) this.enter('mask', mask?.get(Name.G), group, state)
        break
      }
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        this.enterGlyphs()
        break
    }
  }

  private enterPattern(use: ColorUse): void {
    const { document, initial } = this
    const pattern = streamOf(document, use.pattern)
    if (!pattern) return
    // Uncolored patterns are painted in the color space under /Pattern.
    const underlying = use.space instanceof PDFArray ? document.peek(use.space.asArray()[1]) : undefined
    const color = underlying && { ...use, space: underlying, pattern: undefined }
    const ignoresColor = initial.ignoresColor || document.peekNumber(pattern.dict.get(PDFName.of('PaintType'))) === 2
    const state = { ...initial, fill: color ?? initial.fill, stroke: color ?? initial.stroke, ignoresColor }
    this.enter('pattern', use.pattern, pattern, state)
  }

  private enterGlyphs(): void {
    const { document, state } = this
    if (!state.font || document.peekName(state.font.get(Name.Subtype)) !== 'Type3') return
    const resources = document.peekDict(state.font.get(Name.Resources))
    // Glyphs use the resources of their font, or else those of the page (ISO 32000-2, table 110).
    const parent = resources ? { ...this.stream, resources } : this.stream
    for (const value of document.peekDict(state.font.get(Name.CharProcs))?.values() ?? []) {
      const glyph = streamOf(document, value)
      if (glyph) this.enter('glyph', value, glyph, { ...state, font: undefined, fontRef: undefined }, parent)
    }
  }

  private enter(
    kind: ContentStream['kind'],
    value: PDFObject | undefined,
    form: PDFRawStream,
    state: PaintState,
    parent = this.stream,
  ): void {
    const key = this.walk.listeners.map(listener => listener.key?.(this) ?? '').join('|')
    const { page, pageResources } = this.stream
    this.walk.readForm(value, form, { kind, page, pageResources, state, parent, depth: this.depth + 1, key })
  }
}

/** The streams of a page are read as if white space were between them (ISO 32000-2, 7.8.2). */
function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  return Buffer.concat(parts.flatMap(part => [part, NEW_LINE]))
}

const NEW_LINE = Buffer.from('\n')
