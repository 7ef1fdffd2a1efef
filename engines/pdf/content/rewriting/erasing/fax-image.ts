import { PDFBool, PDFName } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { CcittDecoder } from './ccitt-decoder'
import type { CcittParameters } from './ccitt-decoder'
import { readCoded } from './image-samples'

/** Default of /Columns in fax data (ISO 32000-2, table 11). */
const FAX_COLUMNS = 1728

/** The CCITT fax data of an image. */
export interface FaxData {
  data: Uint8Array
  coding: CcittParameters
  isBlackOne: boolean
}

/** Reads the data of an image whose last filter is CCITTFaxDecode. */
export function readFax(document: PdfDocument, image: PDFRawStream): FaxData {
  const { data, parameterDict } = readCoded(document, image)
  return { data, ...readParameters(document, parameterDict) }
}

function readParameters(document: PdfDocument, parameters: PDFDict | undefined): Omit<FaxData, 'data'> {
  const numberOf = (name: string): number | undefined => document.peekNumber(parameters?.get(PDFName.of(name)))
  const isSet = (name: string): boolean => document.peek(parameters?.get(PDFName.of(name))) === PDFBool.True
  return {
    coding: {
      k: numberOf('K') ?? 0,
      columns: numberOf('Columns') ?? FAX_COLUMNS,
      isAligned: isSet('EncodedByteAlign'),
      hasEndOfLines: isSet('EndOfLine'),
    },
    isBlackOne: isSet('BlackIs1'),
  }
}

/** Returns whether fax data has at least this many rows that can be read. */
export function hasFaxRows({ data, coding }: FaxData, count: number): boolean {
  const reader = new CcittDecoder(data, coding)
  for (let row = 0; row < count; row++) if (typeof reader.next() === 'string') return false
  return true
}
