import { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeUpToLimit, deflatedStream } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { listWritableObjects, walkValues } from './all-objects'

/** A row of `beginbfchar` that maps a code to U+0000. */
const NULL_ROW = /(<[0-9A-Fa-f]+>\s*)<0000>(?=\s*(?:<[0-9A-Fa-f]+>\s*<|endbfchar))/g

/**
 * Browsers map parts of joined letters to U+0000 if another glyph has the whole text. PDF/UA forbids that (ISO 14289-1,
 * 7.21.7), so these parts become zero width spaces.
 */
export function replaceNullCharacters(document: PdfDocument): void {
  for (const { object } of listWritableObjects(document))
    for (const value of walkValues(object)) {
      const ref = value instanceof PDFDict ? value.get(Name.ToUnicode) : undefined
      const stream = document.peek(ref)
      if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream)) continue
      const text = Buffer.from(decodeUpToLimit(document, stream) ?? []).toString('latin1')
      const fixed = text.replaceAll(NULL_ROW, '$1<200B>')
      if (fixed !== text) document.store.set(ref, deflatedStream(document, stream.dict, Buffer.from(fixed, 'latin1')))
    }
}
