import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { ARRAY, HEX, LITERAL } from '../../syntax/content-operands'
import { TEXT_SHOWING_OPERATORS } from '../../syntax/content-operators'
import { initialState } from '../walk/graphics-state'
import { StreamWalk } from '../walk/stream-walk'
import { listDrawnStreams, listFonts, listStates } from './drawn-streams'
import type { DrawnStream } from './drawn-streams'
import { readString } from '../../syntax/operand-strings'
import * as Name from '../../syntax/names'

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
    const mayShow = listFonts(document, drawing.resources).some(({ font }) => isWanted(font))
    if (!mayShow && !mayInherit(document, drawing)) continue
    const { content, isPartial } = readContent(document, drawing)
    const strings = readStrings(
      new StreamWalk(document, { ...drawing, bytes: content, isWhole: !isPartial }, initialState()),
      isWanted,
    )
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
function mayInherit(document: PdfDocument, { kind, resources }: DrawnStream): boolean {
  return kind !== 'page' || !resources || listStates(document, resources).some(state => state.has(Name.Font))
}

function readStrings(walk: StreamWalk, isWanted: (font: PDFDict) => boolean): ShownTextString[] {
  const { reader, stream } = walk
  const strings: ShownTextString[] = []
  walk.run(() => {
    if (!TEXT_SHOWING_OPERATORS.has(reader.operator)) return
    const { font } = walk
    const { hasFont, fontName } = walk.state
    const isPage = stream.kind === 'page'
    // The resources of a page are whole, so that another name stands for no font.
    if (font ? !isWanted(font) : isPage && (!hasFont || stream.resources)) return
    const name = !font && fontName !== undefined ? PDFName.of(fontName) : undefined
    const { operands, items, bytes } = reader
    const source = operands.kinds[operands.count - 1] === ARRAY ? items : operands
    for (let index = 0; index < source.count; index++) {
      const kind = source.kinds[index] as number
      if (kind !== LITERAL && kind !== HEX) continue
      const [start, end] = [source.starts[index] as number, source.ends[index] as number]
      strings.push({ font, name, bytes: readString(bytes, kind, start, end), start, end })
    }
  })
  return strings
}
