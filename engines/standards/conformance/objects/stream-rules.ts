import { PDFArray, PDFNull } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import * as Name from '../../../pdf/names'

/** The dictionary of a stream. */
export interface StreamDictionary {
  document: PdfDocument
  dict: PDFDict
}

/** The filters that a stream may have (ISO 32000-1, table 6), other than LZWDecode and Crypt. */
const FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
])

/** Rules for the entries of a stream's dictionary. */
export const STREAM_DICTIONARY_RULES: readonly Rule<StreamDictionary>[] = [
  {
    in: inAllParts('6.1.7-3', '6.1.7.1-3'),
    message: 'The data of a stream must not be in another file (/F, /FFilter, /FDecodeParms).',
    check: ({ document, dict }) => {
      const key = ['F', 'FFilter', 'FDecodeParms'].find(name => {
        const value = entryOf(document, dict, name)
        return value !== undefined && value !== PDFNull
      })
      return key && `/${key}`
    },
  },
  {
    in: { 'pdfa-1': '6.1.10-1' },
    message: 'Streams must not be compressed with LZW.',
    check: subject => (filtersOf(subject).some(({ name }) => name === 'LZWDecode') ? '/LZWDecode' : undefined),
  },
  {
    in: inParts23('6.1.7.2-1'),
    message: 'Streams must use standard filters other than LZW, and Crypt only as /Identity.',
    check: subject => {
      const bad = filtersOf(subject).find(filter => !isAllowed(subject.document, filter))
      return bad && `/${bad.name ?? 'not a name'}`
    },
  },
]

interface Filter {
  name: string | undefined
  parameters: PDFObject | undefined
}

function filtersOf({ document, dict }: StreamDictionary): Filter[] {
  const filter = entryOf(document, dict, 'Filter')
  const parameters = entryOf(document, dict, 'DecodeParms')
  if (filter === undefined || filter === PDFNull) return []
  if (!(filter instanceof PDFArray)) {
    const only = parameters instanceof PDFArray ? document.peek(parameters.asArray()[0]) : parameters
    return [{ name: document.peekName(filter), parameters: only }]
  }
  const list = document.peekItems(parameters)
  return filter
    .asArray()
    .map((item, index) => ({ name: document.peekName(item), parameters: document.peek(list[index]) }))
}

function isAllowed(document: PdfDocument, { name, parameters }: Filter): boolean {
  if (name !== 'Crypt') return name !== undefined && FILTERS.has(name)
  const dict = document.peekDict(parameters)
  return !dict || document.peekName(dict.get(Name.Name)) === 'Identity'
}
