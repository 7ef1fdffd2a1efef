import type { PDFArray } from 'pdf-lib'
import type { Deflate } from '../filters/deflate'
import { AddedFeatures } from './added-features'

/** How the writer saves a document. */
export class SaveSettings {
  /** The two strings of the trailer's /ID. Undefined if the file has none. The result then gets a new /ID. */
  id: PDFArray | undefined
  /** Features that edits added and that the PDF version or a conformance claim may not allow. */
  readonly addedFeatures = new AddedFeatures()
  /** The lowest PDF version that supports the content added from other files. */
  leastVersion = '1.3'
  /** The version of the result, whatever its content needs. Object streams are written from version 1.5 on. */
  fixedVersion: string | undefined
  /** Whether to write object streams although the source file has none. */
  packsObjects = false
  /** Deflates object streams and the cross-reference stream, if their size matters most. Otherwise, zlib does it fast. */
  deflate: Deflate | undefined
}
