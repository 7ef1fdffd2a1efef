import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readCMapFile } from '../../../pdf/fonts'
import type { CMapFile } from '../../../pdf/fonts'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import type { Examination } from '../examination/examination'
import { entryOf, objectOf } from '../examination/model'
import type { Location } from '../examination/report'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { nameOfCMap } from './cid-system-info'
import { describeCMap } from './composite-rules'
import { everywhere } from './font-rules'
import { isIdentity, isPredefined } from './predefined-cmaps'
import * as Name from '../../../pdf/names'

/** Maximum length of a chain of CMaps that refer to others. */
const MAX_CHAIN = 8

const MOST_CID = 65_535

interface CMapSubject {
  document: PdfDocument
  /** A name or a stream. */
  value: PDFObject | undefined
  name: string | undefined
}

interface CMapFileSubject {
  file: CMapFile
  /** /WMode of the stream's dictionary. */
  statedMode: number
}

/** Requirements for CMaps (ISO 19005-1, 6.3.3.3; ISO 19005-2, 6.2.11.3.3). */
export const CMAP_RULES: Rule<CMapSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.3.3-1' },
    message: 'A CMap must be embedded, unless it is Identity-H or Identity-V.',
    check: ({ name, value }) =>
      isIdentity(name) || value instanceof PDFRawStream ? undefined : describeCMap(name, value),
  },
  {
    in: { ...inParts23('6.2.11.3.3-1'), 'pdfua-1': '7.21.3.3-1' },
    message: 'A CMap that ISO 32000 does not list must be embedded.',
    check: ({ name, value }) =>
      isPredefined(name) || value instanceof PDFRawStream ? undefined : describeCMap(name, value),
  },
]

/** Requirements for CMaps that other CMaps refer to. */
export const REFERENCED_CMAP_RULES: Rule<CMapSubject>[] = [
  {
    in: { ...inParts23('6.2.11.3.3-3'), 'pdfua-1': '7.21.3.3-3' },
    message: 'A CMap may only refer to CMaps that ISO 32000 lists.',
    check: ({ name, value }) => (isPredefined(name) ? undefined : describeCMap(name, value)),
  },
]

/** Requirements for embedded CMap files. */
export const CMAP_FILE_RULES: Rule<CMapFileSubject>[] = [
  {
    in: everywhere('6.3.3.3-2', '6.2.11.3.3-2', '7.21.3.3-2'),
    message: 'The /WMode of an embedded CMap must be the writing mode of its CMap file.',
    check({ file: { writingMode = 0 }, statedMode }) {
      return writingMode === statedMode ? undefined : `/WMode ${statedMode} and ${writingMode} in the file`
    },
  },
  {
    // ISO 32000-1, annex C
    in: { 'pdfa-1': '6.1.12-10', ...inParts23('6.1.13-10') },
    message: "A CID mustn't be greater than 65,535.",
    check({ file }) {
      const cid = findHighestCid(file)
      return cid > MOST_CID ? `CID ${cid}` : undefined
    },
  },
]

function findHighestCid({ cids }: CMapFile): number {
  let highest = 0
  for (let index = 0; index < cids.size; index++) {
    const { low, high, value } = cids.at(index)
    highest = Math.max(highest, value + high - low)
  }
  return highest
}

/** Checks the CMap in /Encoding of a Type 0 font, and those that it refers to. */
export function examineCMaps(examination: Examination, encoding: PDFObject | undefined, location: Location): void {
  const { document } = examination
  let value: PDFObject | undefined = encoding
  for (let depth = 0; depth < MAX_CHAIN && value !== undefined; depth++) {
    const object = objectOf(value) ?? location.object
    const at: Location = { ...location, ...(object !== undefined && { object }) }
    const cmap: PDFObject | undefined = document.peek(value)
    const subject: CMapSubject = { document, value: cmap, name: nameOfCMap(document, cmap) }
    examination.apply(CMAP_RULES, subject, at)
    if (depth > 0) examination.apply(REFERENCED_CMAP_RULES, subject, at)
    if (!(cmap instanceof PDFRawStream)) return
    const file = readCMapFile(decodeUpToLimit(document, cmap) ?? new Uint8Array(0))
    const statedMode = document.peekNumber(entryOf(document, cmap.dict, 'WMode')) ?? 0
    examination.apply(CMAP_FILE_RULES, { file, statedMode }, at)
    value = cmap.dict.get(Name.UseCMap)
  }
}
