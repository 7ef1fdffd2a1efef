import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { chainMatrices } from '../../geometry/matrix'
import { ARRAY, DICTIONARY } from '../../syntax/content-operands'
import { ContentReader } from '../../syntax/content-reader'
import * as Name from '../../syntax/names'
import { Parser } from '../../syntax/parser'
import { findIn, findResource } from './content-stream'
import type { ContentStream } from './content-stream'
import { GraphicsStateStack } from './graphics-state'
import type { ColorUse, GraphicsState } from './graphics-state'

/** Default color spaces by the device color space that they replace (ISO 32000-2, 8.6.5.6). */
export const DEFAULT_SPACES = new Map([
  ['DeviceGray', 'DefaultGray'],
  ['DeviceRGB', 'DefaultRGB'],
  ['DeviceCMYK', 'DefaultCMYK'],
])

const DEVICE_SPACES: Readonly<Record<string, string>> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
}

const COLOR_OPERATORS = new Set(['g', 'G', 'rg', 'RG', 'k', 'K', 'cs', 'CS', 'sc', 'SC', 'scn', 'SCN', 'ri', 'sh'])

/** The operators that `update` knows. Most operators of content build paths or show text, and are none of them. */
const CHANGES_STATE = new Set([
  ...['q', 'cm', 'gs', 'w', 'j', 'M', 'd', 'd1'],
  ...['Tf', 'Tc', 'Tw', '"', 'Tz', 'TL', 'TD', 'Ts', 'Tr'],
  ...['g', 'rg', 'k', 'G', 'RG', 'K', 'cs', 'CS', 'sc', 'SC', 'scn', 'SCN'],
])

/** Maximum number of components of a color (ISO 32000-2, annex C). */
const MAX_COMPONENTS = 32

const SETS_PATTERN = new Set(['scn', 'SCN'])

/** Where content is, as in reports. */
export interface ContentLocation {
  /** Number of the page, from 1. */
  page: number
  /** Object and generation number of the closest indirect object, such as `12 0`. */
  object?: string
}

/** Walks one content stream operator by operator, and follows its graphics state (ISO 32000-2, 8.4). */
export class StreamWalk<State extends GraphicsState = GraphicsState> {
  readonly reader: ContentReader
  /** The state at the start of the stream. Patterns start with it. Must not be changed. */
  readonly initial: Readonly<State>
  /** The current state. `q` and `Q` replace it. */
  state: State
  private readonly saved = new GraphicsStateStack<State>()
  private place: ContentLocation | undefined
  private readonly spaces = new Map<string | undefined, ColorUse>()

  /** `state` is copied. */
  constructor(
    readonly document: PdfDocument,
    readonly stream: ContentStream,
    state: State,
  ) {
    this.reader = new ContentReader(stream.bytes)
    this.state = { ...state }
    if (!stream.parent) this.state.fill = this.state.stroke = this.colorSpace('DeviceGray')
    this.initial = { ...this.state }
  }

  /** Where the stream is, for reports. */
  get location(): ContentLocation {
    const { object, page } = this.stream
    return (this.place ??= {
      page: this.document.pages.indexOf(page) + 1,
      ...(object && { object: `${object.objectNumber} ${object.generationNumber}` }),
    })
  }

  /** How many `q` are open in this stream. */
  get nesting(): number {
    return this.saved.depth
  }

  /** Whether operators that set colors have no effect now. */
  get skipsColor(): boolean {
    return this.state.ignoresColor && COLOR_OPERATORS.has(this.reader.operator)
  }

  /** The current font. Undefined if no font was set, or if the resources lack it. */
  get font(): PDFDict | undefined {
    return this.document.peekDict(this.state.fontValue)
  }

  /**
   * Calls `visit` for each operator. The operator and its operands are in `reader`. Operators that change the state have
   * already done so, except `Q`. Invalid operators are visited too. Throws EngineError `too_large` if too many graphics
   * states are saved. If `needsState` is false, the state only follows patterns, which takes less time.
   */
  run(visit: () => void, needsState = true): void {
    const { reader, saved } = this
    const changes = needsState ? CHANGES_STATE : SETS_PATTERN
    while (reader.next()) {
      if (changes.has(reader.operator)) this.update(reader.operator)
      visit()
      if (!needsState) continue
      if (reader.operator === 'Q') this.state = saved.restore() ?? this.state
      if (reader.operator !== 'q') saved.recordChange()
    }
  }

  /** The value of a resource, as `findResource` finds it. */
  resource(category: string, name: string | undefined): PDFObject | undefined {
    return findResource(this.document, this.stream, category, name)
  }

  /** The color space that a name stands for. */
  colorSpace(name: string | undefined): ColorUse {
    const known = this.spaces.get(name) ?? this.findColorSpace(name)
    this.spaces.set(name, known)
    return known
  }

  /** The property list of `BDC` or `DP`: a resource, or a dictionary in the content (ISO 32000-2, 14.6.2). */
  get properties(): PDFObject | undefined {
    const { document, reader } = this
    const { kinds, starts, count } = reader.operands
    if ((reader.operator !== 'BDC' && reader.operator !== 'DP') || count < 2) return undefined
    return kinds[count - 1] === DICTIONARY
      ? new Parser(reader.bytes, document.context, 0).parseAt(starts[count - 1] ?? 0)
      : this.resource('Properties', reader.name)
  }

  private findColorSpace(name: string | undefined): ColorUse {
    const { stream, document } = this
    // Forms without resources don't use the default color spaces of the page.
    const isOwn = stream.hasOwnResources || stream.kind === 'page' || stream.kind === 'glyph'
    const defaults = isOwn ? stream.resources : undefined
    const standard = name === undefined ? undefined : DEFAULT_SPACES.get(name)
    const value =
      standard === undefined ? this.resource('ColorSpace', name) : findIn(document, defaults, 'ColorSpace', standard)
    const object = value instanceof PDFRef ? value : stream.object
    if (value)
      return {
        space: document.peek(value),
        defaults: standard ? undefined : defaults,
        object,
        pattern: undefined,
        components: [],
      }
    const isDirect = name !== undefined && (standard !== undefined || name === 'Pattern')
    return {
      space: isDirect ? PDFName.of(name) : undefined,
      defaults: undefined,
      object,
      pattern: undefined,
      components: [],
    }
  }

  private update(operator: string): void {
    const { reader, state } = this
    switch (operator) {
      case 'q':
        this.saved.save(state)
        return
      case 'cm':
        state.matrix = chainMatrices(reader.matrix(), state.matrix)
        return
      case 'gs':
        this.useParameters(this.document.peekDict(this.resource('ExtGState', reader.name)))
        return
      case 'w':
        state.lineWidth = reader.number(0)
        return
      case 'j':
        state.lineJoin = reader.number(0)
        return
      case 'M':
        state.miterLimit = reader.number(0)
        return
      case 'd':
        state.isDashed = reader.items.count > 0 && reader.operands.kinds[reader.operands.count - 2] === ARRAY
        return
      case 'd1':
        state.ignoresColor = true
        return
      default:
        this.updateText(operator)
        this.updateColor(operator)
    }
  }

  private updateText(operator: string): void {
    const { reader, state } = this
    switch (operator) {
      case 'Tf':
        state.fontName = reader.nameAt(reader.operands.count - 2)
        this.setFont(this.resource('Font', state.fontName), reader.number(0))
        return
      case 'Tc':
        state.characterSpacing = reader.number(0)
        return
      case 'Tw':
        state.wordSpacing = reader.number(0)
        return
      case '"':
        state.wordSpacing = reader.number(2)
        state.characterSpacing = reader.number(1)
        return
      case 'Tz':
        state.horizontalScale = reader.number(0) / 100
        return
      case 'TL':
        state.leading = reader.number(0)
        return
      case 'TD':
        state.leading = -reader.number(0)
        return
      case 'Ts':
        state.rise = reader.number(0)
        return
      case 'Tr':
        state.renderMode = reader.number(0)
    }
  }

  private updateColor(operator: string): void {
    const { reader, state } = this
    if (state.ignoresColor) return
    switch (operator) {
      case 'g':
      case 'rg':
      case 'k':
        state.fill = this.withComponents(this.colorSpace(DEVICE_SPACES[operator]))
        return
      case 'G':
      case 'RG':
      case 'K':
        state.stroke = this.withComponents(this.colorSpace(DEVICE_SPACES[operator]))
        return
      case 'cs':
        state.fill = this.colorSpace(reader.name)
        return
      case 'CS':
        state.stroke = this.colorSpace(reader.name)
        return
      case 'sc':
      case 'scn':
        state.fill = this.withComponents(state.fill)
        return
      case 'SC':
      case 'SCN':
        state.stroke = this.withComponents(state.stroke)
    }
  }

  /** The color that the operands of `scn` or another operator set in a color space. */
  private withComponents(use: ColorUse): ColorUse {
    const { name, operands } = this.reader
    const pattern = name === undefined ? use.pattern : this.resource('Pattern', name)
    const components = operands.values.slice(0, Math.min(operands.count, MAX_COMPONENTS))
    return { ...use, pattern, components }
  }

  private setFont(value: PDFObject | undefined, size: number): void {
    this.state.hasFont = true
    this.state.fontValue = value
    this.state.fontSize = size
  }

  /** Graphics state parameters (ISO 32000-2, table 57). /op has the value of /OP if only that is there. */
  private useParameters(parameters: PDFDict | undefined): void {
    if (!parameters) return
    const { document, state } = this
    const number = (key: PDFName): number | undefined => document.peekNumber(parameters.get(key))
    const flag = (key: PDFName): boolean | undefined => {
      const value = document.peek(parameters.get(key))
      return value === undefined ? undefined : value.toString() === 'true'
    }
    const stroke = flag(Name.OP)
    const fill = flag(Name.op) ?? stroke
    if (stroke !== undefined) state.strokeOverprint = stroke
    if (fill !== undefined) state.fillOverprint = fill
    state.overprintMode = number(Name.OPM) ?? state.overprintMode
    state.lineWidth = number(Name.LW) ?? state.lineWidth
    state.lineJoin = number(Name.LJ) ?? state.lineJoin
    state.miterLimit = number(Name.ML) ?? state.miterLimit
    const dash = document.peekArray(parameters.get(Name.D))
    if (dash) state.isDashed = (document.peekArray(dash.asArray()[0])?.size() ?? 0) > 0
    const font = document.peekArray(parameters.get(Name.Font))?.asArray()
    if (!font) return
    state.fontName = undefined
    this.setFont(font[0], document.peekNumber(font[1]) ?? state.fontSize)
  }
}
