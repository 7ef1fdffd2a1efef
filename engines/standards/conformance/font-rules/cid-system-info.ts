import { PDFArray, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { NO_COLLECTION, readCollection } from '../../../pdf/fonts'
import type { CharacterCollection } from '../../../pdf/fonts'
import * as Name from '../../../pdf/names'
import { readText } from '../../../pdf/syntax'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf } from '../examination/model'
import { collectionOfCMap } from './predefined-cmaps'
import type { UsedFont } from './used-font'

/** The /CIDSystemInfo of a Type 0 font's CIDFont. */
export function readFontCollection({ document, descendant }: UsedFont): CharacterCollection {
  return readCollection(document, descendant?.get(Name.CIDSystemInfo))
}

/** The character collection that the CMap of a Type 0 font maps to. */
export function readCMapCollection({ document, dict }: UsedFont): CharacterCollection {
  const cmap = entryOf(document, dict, 'Encoding')
  if (cmap instanceof PDFName) return collectionOfCMap(cmap.decodeText()) ?? NO_COLLECTION
  if (!(cmap instanceof PDFRawStream)) return NO_COLLECTION
  const value = entryOf(document, cmap.dict, 'CIDSystemInfo')
  // In PDF 1.4, the entry may be an array (PDF Reference, table 5.16).
  return readCollection(document, value instanceof PDFArray ? value.asArray()[0] : value)
}

/** The name of a CMap: a predefined one, or /CMapName of an embedded one. */
export function nameOfCMap(document: PdfDocument, value: PDFObject | undefined): string | undefined {
  const cmap = document.peek(value)
  if (!(cmap instanceof PDFRawStream)) return document.peekName(cmap)
  const name = entryOf(document, cmap.dict, 'CMapName')
  return document.peekName(name) ?? readText(name)
}
