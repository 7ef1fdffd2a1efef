import type { PDFDict, PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { walkDictionaries } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { objectOf, streamOf } from '../examination/model'
import type { Location } from '../examination/report'

/** A metadata stream, and where it is. */
export interface MetadataStream {
  stream: PDFRawStream
  location: Location
}

/** The stream in an entry /Metadata. Undefined unless the stream says that it is XMP metadata. */
export function metadataOf(document: PdfDocument, dict: PDFDict): MetadataStream | undefined {
  const value = dict.get(Name.Metadata)
  const stream = streamOf(document, value)
  if (!stream || document.peekName(stream.dict.get(Name.Type)) !== 'Metadata') return undefined
  if (document.peekName(stream.dict.get(Name.Subtype)) !== 'XML') return undefined
  const object = objectOf(value)
  return { stream, location: object === undefined ? {} : { object } }
}

/** Lists the metadata streams of all objects except the catalog. Each is listed once. */
export function listObjectMetadata(document: PdfDocument): MetadataStream[] {
  const found = new Map<PDFRawStream, MetadataStream>()
  for (const ref of document.source.listReferences()) {
    const object = document.peek(ref)
    for (const dict of object ? walkDictionaries(object) : []) {
      if (!dict.has(Name.Metadata) || document.peekName(dict.get(Name.Type)) === 'Catalog') continue
      const metadata = metadataOf(document, dict)
      if (metadata) found.set(metadata.stream, metadata)
    }
  }
  return [...found.values()]
}
