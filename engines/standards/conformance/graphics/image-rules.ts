import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Finding, Rule } from '../examination/rules'

/** An XObject of any kind, or an inline image with unabbreviated keys. */
export interface XObject {
  document: PdfDocument
  dict: PDFDict
}

/** An image. */
export interface Image extends XObject {
  /** Whether the image is a stencil mask, or the explicit mask of another image. */
  isMask: boolean
}

/** Rules on all XObjects and inline images. */
export const XOBJECT_RULES: Rule<XObject>[] = [
  {
    in: { 'pdfa-1': '6.2.4-2' },
    message: 'Images and form XObjects must not contain /OPI.',
    check: subject => ifPresent(subject, 'OPI'),
  },
  {
    in: { 'pdfa-1': '6.4-2' },
    message: 'Images and form XObjects must not have a soft mask.',
    check: subject => ifPresent(subject, 'SMask'),
  },
  {
    in: inAllParts('6.2.7-1', '6.2.9-3'),
    message: 'A file must not contain PostScript XObjects.',
    check: ({ document, dict }) => (document.peekName(entryOf(document, dict, 'Subtype')) === 'PS' ? '/PS' : undefined),
  },
]

/** Rules on images. */
export const IMAGE_RULES: Rule<Image>[] = [
  {
    in: inAllParts('6.2.4-1', '6.2.8-1'),
    message: 'An image must not have alternate images.',
    check: subject => ifPresent(subject, 'Alternates'),
  },
  {
    in: inParts23('6.2.8-2'),
    message: 'An image must not contain /OPI.',
    check: subject => ifPresent(subject, 'OPI'),
  },
  {
    in: inAllParts('6.2.4-3', '6.2.8-3'),
    message: 'An image must not be interpolated.',
    check: ({ document, dict }) =>
      entryOf(document, dict, 'Interpolate')?.toString() === 'true' ? '/Interpolate true' : undefined,
  },
  {
    in: { 'pdfa-1': '6.2.4-4' },
    message: 'An image must have 1, 2, 4 or 8 bits per component.',
    check: subject => (subject.isMask ? undefined : unlessBits(subject, [1, 2, 4, 8])),
  },
  {
    in: inParts23('6.2.8-4'),
    message: 'An image must have 1, 2, 4, 8 or 16 bits per component.',
    check: subject => (subject.isMask ? undefined : unlessBits(subject, [1, 2, 4, 8, 16])),
  },
  {
    in: inAllParts('6.2.4-5', '6.2.8-5'),
    message: 'An image mask must have 1 bit per component.',
    check: subject => (subject.isMask ? unlessBits(subject, [1]) : undefined),
  },
]

/** Filters of inline images, with their abbreviations (ISO 32000-1, table 94). */
const INLINE_FILTERS = new Set(
  'ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode AHx A85 Fl RL CCF DCT'.split(' '),
)

/** Rules on each filter of an inline image. */
export const INLINE_FILTER_RULES: Rule<string>[] = [
  {
    in: { 'pdfa-1': '6.1.10-2' },
    message: 'An inline image must not use the LZW filter.',
    check: filter => (filter === 'LZWDecode' || filter === 'LZW' ? `filter ${filter}` : undefined),
  },
  {
    in: inParts23('6.1.10-1'),
    message: 'An inline image must use only filters that the PDF standard allows, other than LZW and Crypt.',
    check: filter => (INLINE_FILTERS.has(filter) ? undefined : `filter ${filter}`),
  },
]

function ifPresent({ document, dict }: XObject, key: string): Finding {
  return entryOf(document, dict, key) === undefined ? undefined : `/${key}`
}

function unlessBits({ document, dict }: XObject, allowed: readonly number[]): Finding {
  const bits = document.peekNumber(entryOf(document, dict, 'BitsPerComponent'))
  return bits === undefined || allowed.includes(bits) ? undefined : `/BitsPerComponent ${bits}`
}
