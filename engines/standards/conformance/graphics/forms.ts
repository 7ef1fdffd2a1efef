import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict } from '../examination/model'
import type { Location } from '../examination/report'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import type { ColorSpaces } from './color-spaces'
import { XOBJECT_RULES } from './image-rules'
import type { XObject } from './image-rules'

/** Rules on form XObjects and appearances. */
export const FORM_RULES: Rule<XObject>[] = [
  {
    in: { 'pdfa-1': '6.2.5-1' },
    message: 'A form XObject must not contain PostScript.',
    check: subject => postScript(subject),
  },
  {
    in: inParts23('6.2.9-1'),
    message: 'A form XObject must not contain PostScript or /OPI.',
    check: subject => postScript(subject) ?? (entryOf(subject.document, subject.dict, 'OPI') ? '/OPI' : undefined),
  },
  {
    in: { 'pdfa-1': '6.2.6-1', ...inParts23('6.2.9-2'), 'pdfua-1': '7.20-1' },
    message: 'A form XObject must not refer to a page of another file.',
    check: ({ document, dict }) => (entryOf(document, dict, 'Ref') ? '/Ref' : undefined),
  },
]

/** Rules on groups of pages and form XObjects. */
const GROUP_RULES: Rule<string>[] = [
  {
    in: { 'pdfa-1': '6.4-3' },
    message: 'Pages and form XObjects must not be transparency groups.',
    check: subtype => (subtype === 'Transparency' ? '/S /Transparency' : undefined),
  },
]

/** Checks a form XObject. */
export function examineForm(examination: Examination, dict: PDFDict, location: Location): void {
  const subject = { document: examination.document, dict }
  examination.apply(XOBJECT_RULES, subject, location)
  examination.apply(FORM_RULES, subject, location)
}

/** Checks the group of a page or form XObject. */
export function examineGroup(
  { examination, colors }: { examination: Examination; colors: ColorSpaces },
  dict: PDFDict,
  defaults: PDFDict | undefined,
  location: Location,
): void {
  const { document } = examination
  const group = plainDict(document, dict.get(Name.Group))
  if (!group) return
  examination.apply(GROUP_RULES, document.peekName(group.get(Name.S)) ?? '', location)
  colors.check(group.get(Name.CS), { defaults, location })
}

/** Whether a page or form XObject is a transparency group. */
export function isTransparencyGroup(document: PdfDocument, dict: PDFDict): boolean {
  return document.peekName(plainDict(document, dict.get(Name.Group))?.get(Name.S)) === 'Transparency'
}

function postScript({ document, dict }: XObject): string | undefined {
  if (document.peekName(dict.get(Name.Subtype2)) === 'PS') return '/Subtype2 /PS'
  return entryOf(document, dict, 'PS') ? '/PS' : undefined
}
