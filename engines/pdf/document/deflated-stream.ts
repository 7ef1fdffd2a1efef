import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { deflate } from '../filters/deflate'
import type { PdfDocument } from './document'
import * as Name from '../syntax/names'

/** Entries that describe how a stream's data is encoded (ISO 32000-2, table 5). */
const ENCODED = ['Filter', 'DecodeParms', 'DP', 'Length', 'DL', 'F', 'FFilter', 'FDecodeParms'].map(name =>
  PDFName.of(name),
)

/** Makes a deflated stream with these bytes and with all entries of `dict` except those that describe the encoding. */
export function deflatedStream(document: PdfDocument, dict: PDFDict, bytes: Uint8Array): PDFRawStream {
  const entries = new Map(dict.entries().filter(([key]) => !ENCODED.includes(key)))
  entries.set(Name.Filter, Name.FlateDecode)
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), deflate(bytes))
}

/** Adds a deflated stream with these bytes and these entries. */
export function addDeflatedStream(
  document: PdfDocument,
  bytes: Uint8Array,
  entries: Readonly<Record<string, string | number>> = {},
): PDFRef {
  return document.register(deflatedStream(document, document.context.obj({ ...entries }), bytes))
}
