import { PDFDict, PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { applyFilters, decodeStream, readFilters } from '../filters/filters'
import type { StreamFilter } from '../filters/filters'
import { inflateIntact } from '../filters/inflate'
import * as Name from '../syntax/names'

const FLATE = new Set<string | undefined>(['FlateDecode', 'Fl'])

/** Returns the filters of a stream. Undefined if there are too many, so that no reader decodes the stream. */
export function filtersOf(document: PdfDocument, { dict }: PDFRawStream): StreamFilter[] | undefined {
  return unlessTooLarge(() => readFilters(dict, value => document.peek(value)))
}

/** Decodes with these filters. Undefined if one isn't a general one, or if the result is too large. */
export function decodeWith(
  document: PdfDocument,
  filters: readonly StreamFilter[],
  data: Uint8Array,
): Uint8Array | undefined {
  return unlessTooLarge(() => applyFilters(filters, data, document.limits.maxStreamBytes))
}

/** The decoded bytes of a stream with general filters. Undefined for other filters, and if there are too many bytes. */
export function decodeGeneral(document: PdfDocument, { dict, contents }: PDFRawStream): Uint8Array | undefined {
  return unlessTooLarge(() =>
    decodeStream(dict, contents, value => document.peek(value), document.limits.maxStreamBytes),
  )
}

/**
 * Returns a stream whose encoded data has nothing but the decoded bytes. Data with one Flate filter ends with its last
 * block. All other data with general filters is decoded and deflated, because these filters skip many bytes. Undefined
 * if nothing changes.
 */
export function cleanEncoding(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const { dict, contents } = stream
  const filters = filtersOf(document, stream)
  if (!filters || filters.length === 0) return undefined
  const inflated = inflateOnly(document, filters, contents)
  if (inflated) return inflated.end < contents.length ? cutContents(document, stream, inflated.end) : undefined
  const bytes = decodeGeneral(document, stream)
  return bytes && deflatedStream(document, dict, bytes)
}

/** Inflates data with one Flate filter, without its predictor. Undefined for other filters and for damaged data. */
export function inflateOnly(
  document: PdfDocument,
  filters: readonly StreamFilter[],
  contents: Uint8Array,
): { bytes: Uint8Array; end: number } | undefined {
  const isPlain = filters.length === 1 && FLATE.has(filters[0]?.name)
  return isPlain ? inflateIntact(contents, document.limits.maxStreamBytes) : undefined
}

/** Returns a stream with the same entries and only the first `length` bytes of its encoded data. */
export function cutContents(document: PdfDocument, { dict, contents }: PDFRawStream, length: number): PDFRawStream {
  const entries = new Map(dict.entries())
  entries.delete(Name.Length)
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), contents.slice(0, length))
}

function unlessTooLarge<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}
