import { PDFString } from 'pdf-lib'
import { readPageLabels, writeLabel, writePageLabels } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { readFormFields } from '../../../pdf/forms'
import * as Name from '../../../pdf/names'
import { writeText } from '../../../pdf/syntax'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'

/** Removes matches from the labels of pages, which readers compose from a prefix and a number (ISO 32000-2, 12.4.2). */
export function redactLabels(document: PdfDocument, rules: readonly Rule[]): void {
  let isChanged = false
  const labels = readPageLabels(document)?.map(label => {
    const cut = cutMatches(writeLabel(label), rules)
    isChanged ||= cut !== undefined
    return cut === undefined ? label : { ...label, style: undefined, prefix: writeText(cut) }
  })
  if (labels && isChanged) writePageLabels(document, labels)
}

/** Renames fields whose names match only together with the names of their parents (ISO 32000-2, 12.7.4.2). */
export function redactFieldNames(document: PdfDocument, rules: readonly Rule[]): void {
  for (const [index, { ref, name }] of readFormFields(document).entries()) {
    if (!name.includes('.') || cutMatches(name, rules) === undefined) continue
    document.edit(ref).set(Name.T, PDFString.of(`redacted${index + 1}`))
  }
}
