import { PDFRawStream, PDFRef } from 'pdf-lib'
import { isEngineError } from '../../errors'
import type { PdfDocument } from '../document/document'
import { decodeStream } from '../filters/filters'
import { contentsOf } from '../document/contents-of'
import { NameSearch } from '../document/name-search'
import { findReachable } from '../document/reachable'
import type { Reached } from '../document/reachable'
import { walkDictionaries } from '../document/walk-dictionaries'
import * as Name from '../syntax/names'

/**
 * The decoded bytes of a content stream. Empty if the stream can't be decoded. The bytes don't count against the limit
 * of the document, because the code that draws or rewrites the content decodes and counts it.
 */
export function peekContent(document: PdfDocument, ref: PDFRef): Uint8Array {
  const stream = document.peek(ref)
  if (!(stream instanceof PDFRawStream)) return new Uint8Array(0)
  try {
    return (
      decodeStream(stream.dict, stream.contents, value => document.peek(value), document.limits.maxStreamBytes) ??
      new Uint8Array(0)
    )
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return new Uint8Array(0)
    throw error
  }
}

/** Finds form XObjects and patterns. The value of /Subtype may be a reference. */
const STREAM_KINDS = new NameSearch(['/Subtype', '/PatternType'])
/** Finds Type 3 fonts. */
const GLYPHS = new NameSearch(['/CharProcs'])

/**
 * All content streams, in order of object number: pages, form XObjects, tiling patterns and glyphs of Type 3 fonts.
 * `reached` are all objects of the document, if they are known.
 */
export function findContentStreams(
  document: PdfDocument,
  reached: Reached = findReachable(document, [document.rootRef.objectNumber]),
): PDFRef[] {
  const found = new Set<PDFRef>()
  for (const page of document.pages)
    for (const value of contentsOf(document, page)) if (value instanceof PDFRef) found.add(value)
  for (const slot of reached.inOrder()) {
    const mayDraw = reached.isStream(slot) && STREAM_KINDS.mayMatch(reached, slot)
    // Resources of a form may have a font that isn't an object of its own.
    const mayHaveGlyphs = GLYPHS.mayMatch(reached, slot)
    if (!mayDraw && !mayHaveGlyphs) continue
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (mayDraw && object instanceof PDFRawStream) {
      const { dict } = object
      if (document.peek(dict.get(Name.Subtype)) === Name.Form || dict.has(Name.PatternType)) found.add(ref)
    }
    for (const dict of mayHaveGlyphs && object ? walkDictionaries(object) : []) {
      for (const glyph of document.peekDict(dict.get(Name.CharProcs))?.values() ?? [])
        if (glyph instanceof PDFRef) found.add(glyph)
    }
  }
  const streams = [...found].filter(ref => document.peek(ref) instanceof PDFRawStream)
  return streams.sort((one, other) => one.objectNumber - other.objectNumber)
}
