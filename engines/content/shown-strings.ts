import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../pdf-core/annotations'
import { decodeUpToLimit } from '../pdf-core/decode-content'
import type { PdfDocument } from '../pdf-core/document'
import { ARRAY, HEX, LITERAL } from '../pdf-core/operands'
import { ContentReader } from '../pdf-core/tokens'
import { readString } from './strings'

const name = (text: string): PDFName => PDFName.of(text)
const [RESOURCES, CONTENTS, FONT, CHAR_PROCS, AP] = [name('Resources'), name('Contents'), name('Font'), name('CharProcs'), name('AP')]
const [EXT_G_STATE, S_MASK, G, SUBTYPE, IMAGE] = [name('ExtGState'), name('SMask'), name('G'), name('Subtype'), name('Image')]

/** Categories of resources whose streams draw. */
const DRAWING = ['XObject', 'Pattern'].map(name)

/** A string that is shown, and its font; undefined where that can't be told from the stream alone. */
export interface ShownString {
  font: PDFDict | undefined
  bytes: Uint8Array
}

/** What draws, and the resources it names; undefined where those are another's. */
interface Drawing {
  contents: PDFObject[]
  resources: PDFDict | undefined
  /** Whether it is drawn with a font that was chosen before it. */
  inheritsFont: boolean
}

/**
 * The strings that a document shows in some of its fonts, and those in fonts that can't be told: page by page with forms,
 * patterns, soft masks, drawn glyphs and appearances of annotations, each stream once. Streams that name none of the
 * fonts are not read, nor are those beyond the document's limit of decoded bytes.
 */
export function* listShownStrings(document: PdfDocument, isWanted: (font: PDFDict) => boolean): Generator<ShownString> {
  for (const drawing of listDrawings(document)) {
    const fonts = new Map(fontsOf(document, drawing.resources).filter(([, font]) => isWanted(font)))
    const isOpen = drawing.inheritsFont || !drawing.resources || statesOf(document, drawing.resources).some(state => state.has(FONT))
    if (fonts.size === 0 && !isOpen) continue
    const parts = drawing.contents.flatMap(content => [decodeUpToLimit(document, content) ?? new Uint8Array(0), Buffer.from('\n')])
    yield* readStrings(Buffer.concat(parts), { document, drawing, fonts })
  }
}

function* readStrings(bytes: Uint8Array, { document, drawing, fonts }: { document: PdfDocument; drawing: Drawing; fonts: ReadonlyMap<PDFName, PDFDict> }): Generator<ShownString> {
  const reader = new ContentReader(bytes)
  const category = document.peekDict(drawing.resources?.get(FONT))
  let font: PDFDict | 'unknown' | undefined = drawing.inheritsFont ? 'unknown' : undefined
  const saved: (PDFDict | 'unknown' | undefined)[] = []
  while (reader.next()) {
    const { operator, operands } = reader
    if (operator === 'q') saved.push(font)
    else if (operator === 'Q') font = saved.pop() ?? font
    else if (operator === 'gs') font = setsFont(document, drawing.resources, reader.name) ? 'unknown' : font
    else if (operator === 'Tf') {
      const key = PDFName.of(reader.nameAt(operands.count - 2) ?? '')
      font = fonts.get(key) ?? (category?.has(key) ? undefined : 'unknown')
    } else if (font !== undefined && (operator === 'Tj' || operator === 'TJ' || operator === "'" || operator === '"')) {
      const source = operands.kinds[operands.count - 1] === ARRAY ? reader.items : operands
      for (let index = 0; index < source.count; index++) {
        const kind = source.kinds[index] as number
        if (kind === LITERAL || kind === HEX) yield { font: font === 'unknown' ? undefined : font, bytes: readString(bytes, kind, source.starts[index] as number, source.ends[index] as number) }
      }
    }
  }
}

/** All that draws; what a page and its resources lead to comes behind it. */
function* listDrawings(document: PdfDocument): Generator<Drawing> {
  const seen = new Set<PDFObject>()
  for (const page of document.pages) {
    const contents = document.peek(page.dict.get(CONTENTS))
    const resources = document.peekDict(page.attribute(RESOURCES))
    yield { contents: contents instanceof PDFRawStream ? [contents] : (document.peekArray(contents)?.asArray() ?? []), resources, inheritsFont: false }
    const stack = [...listDrawn(document, resources), ...annotationsOf(document, page).flatMap(value => listStreams(document, document.peekDict(value)?.get(AP)))]
    for (let stream = stack.pop(); stream; stream = stack.pop()) {
      if (seen.has(stream)) continue
      seen.add(stream)
      const own = document.peekDict(stream.dict.get(RESOURCES))
      yield { contents: [stream], resources: own, inheritsFont: true }
      stack.push(...listDrawn(document, own).filter(one => !seen.has(one)))
    }
  }
}

/** The streams that draw among resources: forms, cells of patterns, soft masks, glyphs. */
function listDrawn(document: PdfDocument, resources: PDFDict | undefined): PDFRawStream[] {
  const states = statesOf(document, resources).map(state => document.peek(document.peekDict(state.get(S_MASK))?.get(G)))
  const glyphs = fontsOf(document, resources).flatMap(([, font]) => listStreams(document, font.get(CHAR_PROCS)))
  const named = DRAWING.flatMap(category => document.peekDict(resources?.get(category))?.values() ?? []).map(value => document.peek(value))
  return [...named, ...states].filter(value => value instanceof PDFRawStream).filter(({ dict }) => document.peek(dict.get(SUBTYPE)) !== IMAGE).concat(glyphs)
}

/** The stream that is given, or those in a dictionary or in dictionaries inside of it, as appearances stand there (ISO 32000-2, 12.5.5). */
function listStreams(document: PdfDocument, given: PDFObject | undefined): PDFRawStream[] {
  const found: PDFRawStream[] = []
  let level = [given]
  for (let depth = 0; depth < 3; depth++) {
    const values = level.map(value => document.peek(value))
    found.push(...values.filter(value => value instanceof PDFRawStream))
    level = values.flatMap(value => (value instanceof PDFRawStream ? [] : (document.peekDict(value)?.values() ?? [])))
  }
  return found
}

function fontsOf(document: PdfDocument, resources: PDFDict | undefined): [PDFName, PDFDict][] {
  return document.peekDict(resources?.get(FONT))?.entries().flatMap(([key, value]): [PDFName, PDFDict][] => {
    const font = document.peekDict(value)
    return font ? [[key, font]] : []
  }) ?? []
}

function statesOf(document: PdfDocument, resources: PDFDict | undefined): PDFDict[] {
  return (document.peekDict(resources?.get(EXT_G_STATE))?.values() ?? []).flatMap(value => document.peekDict(value) ?? [])
}

function setsFont(document: PdfDocument, resources: PDFDict | undefined, state: string | undefined): boolean {
  return document.peekDict(document.peekDict(resources?.get(EXT_G_STATE))?.get(PDFName.of(state ?? '')))?.has(FONT) ?? false
}
