import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { entryOf, plainDict } from '../examination/model'
import type { Location } from '../examination/report'
import { locationOf } from './values'

/** A form field. */
export interface Field {
  dict: PDFDict
  location: Location
}

/** All form fields, parents before their kids. Kids without /T are widgets, not fields. */
export function fieldsIn(document: PdfDocument): Field[] {
  const form = document.peekDict(entryOf(document, document.catalog, 'AcroForm'))
  const seen = new Set<PDFDict>()
  const fields: Field[] = []
  const stack =
    document
      .peekArray(entryOf(document, form, 'Fields'))
      ?.asArray()
      .toReversed() ?? []
  for (let value = stack.pop(); value; value = stack.pop()) {
    const dict = plainDict(document, value)
    if (!dict || seen.has(dict)) continue
    seen.add(dict)
    fields.push({ dict, location: locationOf(value) })
    const kids = document.peekItems(entryOf(document, dict, 'Kids'))
    for (const kid of kids.toReversed()) if (document.peekDict(kid)?.has(Name.T)) stack.push(kid)
  }
  return fields
}
