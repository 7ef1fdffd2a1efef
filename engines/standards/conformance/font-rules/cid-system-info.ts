import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf } from '../examination/model'
import { collectionOfCMap } from './predefined-cmaps'
import type { CharacterCollection } from './predefined-cmaps'
import type { UsedFont } from './used-font'

const NO_COLLECTION: CharacterCollection = { registry: undefined, ordering: undefined, supplement: 0 }

/** The /CIDSystemInfo of a Type 0 font's CIDFont. */
export function readCollection({ document, descendant }: UsedFont): CharacterCollection {
  return readSystemInfo(document, entryOf(document, descendant, 'CIDSystemInfo'))
}

/** The character collection that the CMap of a Type 0 font maps to. */
export function readCMapCollection({ document, dict }: UsedFont): CharacterCollection {
  const cmap = entryOf(document, dict, 'Encoding')
  if (cmap instanceof PDFName) return collectionOfCMap(cmap.decodeText()) ?? NO_COLLECTION
  if (!(cmap instanceof PDFRawStream)) return NO_COLLECTION
  const value = entryOf(document, cmap.dict, 'CIDSystemInfo')
  // In PDF 1.4, the entry may be an array (PDF Reference, table 5.16).
  return readSystemInfo(document, value instanceof PDFArray ? document.peek(value.asArray()[0]) : value)
}

/** The name of a CMap: a predefined one, or /CMapName of an embedded one. */
export function nameOfCMap(document: PdfDocument, value: PDFObject | undefined): string | undefined {
  const cmap = document.peek(value)
  if (!(cmap instanceof PDFRawStream)) return document.peekName(cmap)
  const name = entryOf(document, cmap.dict, 'CMapName')
  return document.peekName(name) ?? textOf(name)
}

function readSystemInfo(document: PdfDocument, value: PDFObject | undefined): CharacterCollection {
  if (!(value instanceof PDFDict)) return NO_COLLECTION
  const text = (key: string): string | undefined => textOf(entryOf(document, value, key))
  const supplement = document.peekNumber(entryOf(document, value, 'Supplement')) ?? 0
  return { registry: text('Registry'), ordering: text('Ordering'), supplement }
}

function textOf(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFString || value instanceof PDFHexString) return value.decodeText()
  return value instanceof PDFName ? value.decodeText() : undefined
}
