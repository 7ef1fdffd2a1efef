import { PDFArray, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { Page } from '../../pdf-core/document/page-tree'

const key = (text: string): PDFName => PDFName.of(text)
const [RESOURCES, CONTENTS, FONT, CHAR_PROCS, AP] = ['Resources', 'Contents', 'Font', 'CharProcs', 'AP'].map(key) as [
  PDFName,
  PDFName,
  PDFName,
  PDFName,
  PDFName,
]
const [EXT_G_STATE, S_MASK, G, SUBTYPE, IMAGE] = ['ExtGState', 'SMask', 'G', 'Subtype', 'Image'].map(key) as [
  PDFName,
  PDFName,
  PDFName,
  PDFName,
  PDFName,
]

/** Resource categories with streams that draw. */
const DRAWING = ['XObject', 'Pattern'].map(key)

/** Maximum nesting of an appearance dictionary (ISO 32000-2, 12.5.5): /AP, its states, their streams. */
const APPEARANCE_DEPTH = 3

/** A content stream, or all streams of a page taken as one, with its resources. */
export interface DrawnStream {
  /** The page with this content. Undefined for form XObjects, tiling patterns, soft masks, glyphs and appearances. */
  page: Page | undefined
  /** The streams in order. */
  streams: PDFRef[]
  /** Undefined if the stream has no /Resources. */
  resources: PDFDict | undefined
}

/**
 * Lists all content streams of a document, each once: the content of each page, then the form XObjects, tiling
 * patterns, soft masks, Type 3 glyphs and annotation appearances that the page uses.
 */
export function* listDrawnStreams(document: PdfDocument): Generator<DrawnStream> {
  const seen = new Set<PDFObject>()
  for (const page of document.pages) yield* listStreamsOfPage(document, page, seen)
}

/** Lists the content streams of one page, except for the streams in `seen`. Adds the listed streams to `seen`. */
export function* listStreamsOfPage(
  document: PdfDocument,
  page: Page,
  seen = new Set<PDFObject>(),
): Generator<DrawnStream> {
  const resources = document.peekDict(page.attribute(RESOURCES))
  yield { page, streams: contentsOf(document, page), resources }
  const stack = listNamed(document, resources)
  for (const value of annotationsOf(document, page))
    stack.push(...listStreams(document, document.peekDict(value)?.get(AP)))
  for (let ref = stack.pop(); ref; ref = stack.pop()) {
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || seen.has(stream)) continue
    seen.add(stream)
    const streamResources = document.peekDict(stream.dict.get(RESOURCES))
    yield { page: undefined, streams: [ref], resources: streamResources }
    stack.push(...listNamed(document, streamResources))
  }
}

/** A font of a resource dictionary. */
export interface NamedFont {
  name: PDFName
  font: PDFDict
  /** Undefined if the font is a direct object in the resource dictionary. */
  ref: PDFRef | undefined
}

/** The fonts of a resource dictionary. */
export function listFonts(document: PdfDocument, resources: PDFDict | undefined): NamedFont[] {
  const entries = document.peekDict(resources?.get(FONT))?.entries() ?? []
  return entries.flatMap(([name, value]): NamedFont[] => {
    const font = document.peekDict(value)
    return font ? [{ name, font, ref: value instanceof PDFRef ? value : undefined }] : []
  })
}

/** The graphics state parameters of a resource dictionary. */
export function listStates(document: PdfDocument, resources: PDFDict | undefined): PDFDict[] {
  return (document.peekDict(resources?.get(EXT_G_STATE))?.values() ?? []).flatMap(
    value => document.peekDict(value) ?? [],
  )
}

function contentsOf(document: PdfDocument, page: Page): PDFRef[] {
  const value = page.dict.get(CONTENTS)
  const contents = document.peek(value)
  const items = contents instanceof PDFArray ? contents.asArray() : [value]
  return items.filter(item => item instanceof PDFRef)
}

/** The content streams in resources: form XObjects, tiling patterns, soft masks and Type 3 glyphs. */
function listNamed(document: PdfDocument, resources: PDFDict | undefined): PDFRef[] {
  if (!resources) return []
  const named = DRAWING.flatMap(category => document.peekDict(resources.get(category))?.values() ?? [])
  const masks = listStates(document, resources).map(state => document.peekDict(state.get(S_MASK))?.get(G))
  const glyphs = listFonts(document, resources).flatMap(({ font }) => listStreams(document, font.get(CHAR_PROCS)))
  const found = [...named, ...masks].filter(value => value instanceof PDFRef)
  return [...found.filter(ref => isDrawing(document, ref)), ...glyphs]
}

function isDrawing(document: PdfDocument, ref: PDFRef): boolean {
  const stream = document.peek(ref)
  return stream instanceof PDFRawStream && document.peek(stream.dict.get(SUBTYPE)) !== IMAGE
}

/** The stream itself, or all streams in a dictionary and its nested dictionaries. */
function listStreams(document: PdfDocument, value: PDFObject | undefined): PDFRef[] {
  const found: PDFRef[] = []
  let values = [value]
  for (let depth = 0; depth < APPEARANCE_DEPTH; depth++) {
    const next: (PDFObject | undefined)[] = []
    for (const item of values) {
      const object = document.peek(item)
      if (object instanceof PDFRawStream) {
        if (item instanceof PDFRef) found.push(item)
      } else next.push(...(document.peekDict(object)?.values() ?? []))
    }
    values = next
  }
  return found
}
