import { PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFName, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../annotations/annotations'
import { contentsOf } from '../../document/contents-of'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import * as Name from '../../syntax/names'
import type { ContentStream } from '../walk/content-stream'

/** Resource categories with streams that draw. */
const DRAWING = [Name.XObject, Name.Pattern]

/** Maximum nesting of an appearance dictionary (ISO 32000-2, 12.5.5): /AP, its states, their streams. */
const APPEARANCE_DEPTH = 3

/** A content stream, or all streams of a page taken as one. `page` is the first page that has it in its resources. */
export interface DrawnStream extends Omit<ContentStream, 'bytes' | 'isWhole'> {
  /** The streams in order. */
  streams: PDFRef[]
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
  const resources = document.peekDict(page.attribute(Name.Resources))
  const apart = { page, pageResources: undefined, parent: undefined, depth: 0 }
  const isOwn = page.dict.has(Name.Resources)
  const streams = contentsOf(document, page).filter(value => value instanceof PDFRef)
  yield { ...apart, kind: 'page', object: page.ref, dict: page.dict, streams, resources, hasOwnResources: isOwn }
  const stack = listNamed(document, resources)
  for (const value of annotationsOf(document, page))
    for (const ref of listStreams(document, document.peekDict(value)?.get(Name.AP)))
      stack.push({ ref, inherited: undefined })
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { ref, inherited } = next
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || seen.has(stream)) continue
    seen.add(stream)
    const { dict } = stream
    const own = document.peekDict(dict.get(Name.Resources)) ?? inherited
    yield { ...apart, kind: 'form', object: ref, dict, streams: [ref], resources: own, hasOwnResources: !!own }
    stack.push(...listNamed(document, own))
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
  const entries = document.peekDict(resources?.get(Name.Font))?.entries() ?? []
  return entries.flatMap(([name, value]): NamedFont[] => {
    const font = document.peekDict(value)
    return font ? [{ name, font, ref: value instanceof PDFRef ? value : undefined }] : []
  })
}

/** The graphics state parameters of a resource dictionary. */
export function listStates(document: PdfDocument, resources: PDFDict | undefined): PDFDict[] {
  return (document.peekDict(resources?.get(Name.ExtGState))?.values() ?? []).flatMap(
    value => document.peekDict(value) ?? [],
  )
}

/** A stream, and the resources of its Type 3 font, which it uses if it has no resources of its own. */
interface NamedStream {
  ref: PDFRef
  inherited: PDFDict | undefined
}

/** The content streams in resources: form XObjects, tiling patterns, soft masks and Type 3 glyphs. */
function listNamed(document: PdfDocument, resources: PDFDict | undefined): NamedStream[] {
  if (!resources) return []
  const named = DRAWING.flatMap(category => document.peekDict(resources.get(category))?.values() ?? [])
  const masks = listStates(document, resources).map(state => document.peekDict(state.get(Name.SMask))?.get(Name.G))
  const glyphs = listFonts(document, resources).flatMap(({ font }) => {
    const inherited = document.peekDict(font.get(Name.Resources))
    return listStreams(document, font.get(Name.CharProcs)).map(ref => ({ ref, inherited }))
  })
  const found = [...named, ...masks].filter(value => value instanceof PDFRef)
  const drawings = found.filter(ref => isDrawing(document, ref)).map(ref => ({ ref, inherited: undefined }))
  return [...drawings, ...glyphs]
}

function isDrawing(document: PdfDocument, ref: PDFRef): boolean {
  const stream = document.peek(ref)
  return stream instanceof PDFRawStream && document.peek(stream.dict.get(Name.Subtype)) !== Name.Image
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
