import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { ContentReader } from '../../pdf-core/syntax/content-reader'
import * as Name from '../../pdf-core/syntax/names'
import type { Place } from '../examination/report'

/** A content stream, or all content streams of a page taken as one. */
export interface ContentStream {
  kind: 'page' | 'form' | 'mask' | 'pattern' | 'glyph' | 'appearance'
  /** Page number, from 1. */
  page: number
  /** The closest indirect object. */
  object: PDFRef | undefined
  /** The page, or the dictionary of the stream. */
  dict: PDFDict
  /** The decoded content. Undefined if it can't be decoded. */
  bytes: Uint8Array | undefined
  /** The resources that names in the stream refer to. A glyph also uses those of its font. */
  resources: PDFDict | undefined
  /** The resources of the page. They are used for names that `resources` doesn't have. */
  pageResources: PDFDict | undefined
  /** Whether the stream's own dictionary has /Resources. Otherwise, they are inherited. */
  hasOwnResources: boolean
  /** The stream that draws this one. */
  parent: ContentStream | undefined
}

/** A color space with the components or the pattern that were set in it. */
export interface ColorUse {
  /**
   * A name such as /DeviceRGB, or an array. Resource names are replaced by their values, and device color spaces by the
   * default color space that the resources have for them (ISO 32000-2, 8.6.5.6).
   */
  space: PDFObject | undefined
  /** Resources with the default color spaces for device color spaces inside `space`. */
  defaults: PDFDict | undefined
  /** The closest indirect object of the color space. */
  object: PDFRef | undefined
  /** The pattern, if the color space is /Pattern. */
  pattern: PDFObject | undefined
}

/** The parts of the graphics state (ISO 32000-2, 8.4) that rules depend on. `q` copies it. */
export interface PaintState {
  fill: ColorUse
  stroke: ColorUse
  font: PDFDict | undefined
  fontRef: PDFRef | undefined
  fontSize: number
  renderMode: number
  /** Whether operators that set colors are ignored: in glyphs after `d1`, and in uncolored tiling patterns. */
  ignoresColor: boolean
  /** /OP, /op and /OPM of the graphics state parameters. */
  strokeOverprint: boolean
  fillOverprint: boolean
  overprintMode: number
}

/** Default color spaces by the device color space that they replace (ISO 32000-2, 8.6.5.6). */
export const DEFAULT_SPACES = new Map([
  ['DeviceGray', 'DefaultGray'],
  ['DeviceRGB', 'DefaultRGB'],
  ['DeviceCMYK', 'DefaultCMYK'],
])

/** What a listener sees at an operator. */
export interface Scene {
  readonly document: PdfDocument
  readonly stream: ContentStream
  /** The operator and its operands. Operators that change the state have already done so, except `Q`. */
  readonly reader: ContentReader
  readonly state: PaintState
  /** How many `q` are open in this stream. */
  readonly nesting: number
  /** The value of a resource: a reference or a direct object. */
  resource(category: string, name: string | undefined): PDFObject | undefined
  /** The color space that a name stands for. */
  colorSpace(name: string | undefined): ColorUse
  /** The page, and the object of the content stream. */
  readonly place: Place
}

/** Receives the content of a document, operator by operator. */
export interface ContentListener {
  begin?(scene: Scene): void
  operator(scene: Scene): void
  end?(scene: Scene): void
  /**
   * What a stream's result depends on besides its resources and colors. A form that is drawn twice is only walked again
   * if a key differs.
   */
  key?(scene: Scene): string
}

/** The graphics state at the start of a page. */
export function startState(): PaintState {
  const gray = { space: Name.DeviceGray, defaults: undefined, object: undefined, pattern: undefined }
  return {
    fill: gray,
    stroke: gray,
    font: undefined,
    fontRef: undefined,
    fontSize: 0,
    renderMode: 0,
    ignoresColor: false,
    strokeOverprint: false,
    fillOverprint: false,
    overprintMode: 0,
  }
}
