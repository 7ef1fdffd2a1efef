import { PDFDict, PDFName } from 'pdf-lib'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { ARRAY, HEX, LITERAL } from '../../pdf-core/syntax/content-operands'
import { ContentReader } from '../../pdf-core/syntax/content-reader'
import { listDrawnStreams, listFonts, listStates } from './drawn-streams'
import type { DrawnStream } from './drawn-streams'
import { readString } from '../fonts/strings'
import * as Name from '../../pdf-core/syntax/names'

/** A string operand of a text-showing operator. */
export interface ShownTextString {
  /** Undefined if the stream doesn't set the font: it was set before a form, or comes from inherited resources. */
  font: PDFDict | undefined
  /** The name that the stream gives a font that isn't in its resources. */
  name?: PDFName | undefined
  /** The decoded string. */
  bytes: Uint8Array
  /** Byte range of the operand in the content. `end` is exclusive. */
  start: number
  end: number
}

/** The text strings of one content stream. */
export interface ShownContent {
  drawing: DrawnStream
  /** The decoded content. The streams of a page are joined with line feeds. */
  content: Uint8Array
  strings: ShownTextString[]
  /** Whether `content` lacks streams that can't be decoded within the limits. */
  isPartial: boolean
}

/**
 * Lists the strings that a document shows in the wanted fonts or in unknown fonts, for each content stream. Leaves out
 * streams without such strings if their whole content was decoded. Doesn't decode streams that don't name any of the fonts, or
 * streams beyond the document's limit of decoded bytes.
 */
export function* listShownTextStrings(
  document: PdfDocument,
  isWanted: (font: PDFDict) => boolean,
): Generator<ShownContent> {
  for (const drawing of listDrawnStreams(document)) {
    const named = listFonts(document, drawing.resources).filter(({ font }) => isWanted(font))
    const fonts = new Map(named.map(({ name, font }) => [name, font] as const))
    if (fonts.size === 0 && !mayInherit(document, drawing)) continue
    const { content, isPartial } = readContent(document, drawing)
    const strings = [...readStrings(document, content, { drawing, fonts, isWanted })]
    if (strings.length > 0 || isPartial) yield { drawing, content, strings, isPartial }
  }
}

/** The content of a stream. Leaves out parts that can't be decoded. */
function readContent(document: PdfDocument, { streams }: DrawnStream): { content: Uint8Array; isPartial: boolean } {
  const decoded = streams.map(ref => decodeUpToLimit(document, ref))
  const parts = decoded.map(part => part ?? new Uint8Array(0))
  return {
    content:
      parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts.flatMap(part => [part, Buffer.from('\n')])),
    isPartial: decoded.includes(undefined),
  }
}

/** Returns whether text may be shown in a font that isn't in the stream's own resources. */
function mayInherit(document: PdfDocument, { page, resources }: DrawnStream): boolean {
  return !page || !resources || listStates(document, resources).some(state => state.has(Name.Font))
}

/** The current font. `unknown` means that the stream doesn't set it, and a name that its resources don't have it. */
type CurrentFont = PDFDict | PDFName | 'unwanted' | 'unknown'

interface Reading {
  drawing: DrawnStream
  /** The wanted fonts in the stream's own resources. */
  fonts: ReadonlyMap<PDFName, PDFDict>
  isWanted: (font: PDFDict) => boolean
}

function* readStrings(document: PdfDocument, content: Uint8Array, reading: Reading): Generator<ShownTextString> {
  const reader = new ContentReader(content)
  const { drawing } = reading
  let font: CurrentFont = drawing.page ? 'unwanted' : 'unknown'
  const saved: CurrentFont[] = []
  while (reader.next()) {
    const { operator, operands } = reader
    if (operator === 'q') saved.push(font)
    else if (operator === 'Q') font = saved.pop() ?? font
    else if (operator === 'gs') font = fontOfState(document, reader.name, reading) ?? font
    else if (operator === 'Tf') font = fontOfName(document, reader.nameAt(operands.count - 2), reading)
    else if (font !== 'unwanted' && isShow(operator)) {
      const source = operands.kinds[operands.count - 1] === ARRAY ? reader.items : operands
      for (let index = 0; index < source.count; index++) {
        const kind = source.kinds[index] as number
        if (kind !== LITERAL && kind !== HEX) continue
        const [start, end] = [source.starts[index] as number, source.ends[index] as number]
        const bytes = readString(content, kind, start, end)
        const known = font instanceof PDFDict ? font : undefined
        const name = font instanceof PDFName ? font : undefined
        yield { font: known, name, bytes, start, end }
      }
    }
  }
}

function isShow(operator: string): boolean {
  return operator === 'Tj' || operator === 'TJ' || operator === "'" || operator === '"'
}

function fontOfName(document: PdfDocument, name: string | undefined, { drawing, fonts }: Reading): CurrentFont {
  const key = PDFName.of(name ?? '')
  const isInResources = document.peekDict(drawing.resources?.get(Name.Font))?.has(key) ?? false
  return fonts.get(key) ?? (isInResources || (drawing.page && drawing.resources) ? 'unwanted' : key)
}

/** The font that a graphics state parameter dictionary sets (ISO 32000-2, table 57). Undefined if it sets none. */
function fontOfState(
  document: PdfDocument,
  name: string | undefined,
  { drawing, isWanted }: Reading,
): CurrentFont | undefined {
  const states = document.peekDict(drawing.resources?.get(Name.ExtGState))
  const parameters = document.peekDict(states?.get(PDFName.of(name ?? '')))
  if (!parameters?.has(Name.Font)) return undefined
  const font = document.peekDict(document.peekArray(parameters.get(Name.Font))?.asArray()[0])
  if (!font) return 'unknown'
  return isWanted(font) ? font : 'unwanted'
}
