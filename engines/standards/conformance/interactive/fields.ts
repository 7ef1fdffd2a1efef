import { PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { objectLocation } from './annotations'

/** A form field or the form itself (ISO 32000-2, 12.7). */
interface FormPart {
  document: PdfDocument
  dict: PDFDict
}

const FORM_RULES: Rule<FormPart>[] = [
  {
    in: inAllParts('6.9-1', '6.4.1-3'),
    message: 'Forms must not ask readers to draw the appearances of fields.',
    check: ({ document, dict }) =>
      document.peek(dict.get(Name.NeedAppearances))?.toString() === 'true' ? '/NeedAppearances true' : undefined,
  },
  {
    in: inParts23('6.4.2-1'),
    message: 'Forms must not contain XFA.',
    check: ({ dict }) => (dict.has(Name.XFA) ? '/XFA' : undefined),
  },
]

const FIELD_RULES: Rule<FormPart>[] = [
  {
    in: inAllParts('6.6.2-2', '6.4.1-2'),
    message: 'Form fields must not have additional actions.',
    check: ({ dict }) => (dict.has(Name.AA) ? '/AA' : undefined),
  },
]

/** Checks the form and its fields. */
export function examineForm(examination: Examination): void {
  const { document } = examination
  const value = document.catalog.get(Name.AcroForm)
  const form = document.peek(value)
  if (!(form instanceof PDFDict)) return
  examination.apply(FORM_RULES, { document, dict: form }, objectLocation(value, document.rootRef))
  for (const { dict, location } of listFields(document)) examination.apply(FIELD_RULES, { document, dict }, location)
}

/** All fields of the form: those that hold a value and those that only group others. Widgets without /T aren't fields. */
export function* listFields(document: PdfDocument): Generator<{ dict: PDFDict; location: Location }> {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const seen = new Set<PDFDict>()
  const waiting: PDFObject[] = document.peekArray(form?.get(Name.Fields))?.asArray().toReversed() ?? []
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    const dict = document.peek(value)
    if (!(dict instanceof PDFDict) || seen.has(dict)) continue
    seen.add(dict)
    yield { dict, location: objectLocation(value instanceof PDFRef ? value : undefined, document.rootRef) }
    const kids = document.peekItems(dict.get(Name.Kids))
    waiting.push(
      ...kids.filter(kid => readText(entryOf(document, document.peekDict(kid), 'T')) !== undefined).toReversed(),
    )
  }
}
