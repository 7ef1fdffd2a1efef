import * as z from 'zod'
import { fileOption } from '../../../options/file-input'
import { dateField, lineField, nameField, textField } from './fields'
import { inForm } from '../../../options/form-hints'

const MAX_PRECEDING = 100
const MAX_NOTES = 50
const MAX_ATTACHMENTS = 50

/** A period of delivery or service. */
export function periodField(meaning: string) {
  return z
    .object({ start: dateField('First day.').optional(), end: dateField('Last day.').optional() })
    .optional()
    .describe(meaning)
}

const preceding = z.object({
  number: nameField('Number of the invoice.'),
  date: dateField('Date of the invoice.').optional(),
})

/** The invoices that a credit note or correction refers to. Returns a list. */
export const precedingInvoiceField = z
  .union([
    nameField('Number of the invoice.')
      .meta(inForm({ title: 'Number' }))
      .transform((number): z.output<typeof preceding>[] => [{ number }]),
    z
      .array(preceding)
      .min(1)
      .max(MAX_PRECEDING)
      .meta(inForm({ title: 'Numbers and dates' })),
  ])
  .describe(
    'Invoice that a credit note or correction refers to. Send its number, or an array of objects such as `{"number": ' +
      '"R-7", "date": "2026-02-10"}`.',
  )

/** Notes with codes of their subjects. */
export const codedNotesField = z
  .array(
    z.object({
      subjectCode: lineField('Code of UNTDID 4451, such as `REG` for information on the company register.'),
      text: textField('The note.'),
    }),
  )
  .max(MAX_NOTES)
  .optional()
  .describe('Further notes, each with a code that says what it is about. They are printed after `notes`.')

const attachment = z.object({
  id: nameField('Number or name of the document.'),
  description: lineField('What the document is.').optional(),
  url: lineField('URL of the document.').optional(),
  file: fileOption('The document as PDF, PNG, JPEG, CSV, XLSX or ODS.').optional(),
})

/** Documents that support the invoice. */
export const attachmentsField = z
  .array(attachment)
  .max(MAX_ATTACHMENTS)
  .optional()
  .describe('Supporting documents of an electronic invoice, as files or links. The invoice lists them.')

/** Number of a document, such as a contract. */
export function referenceField(meaning: string) {
  return lineField(meaning).optional()
}
