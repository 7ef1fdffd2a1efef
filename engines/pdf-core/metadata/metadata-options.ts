import { z } from 'zod'
import { dateProblem } from './dates'
import type { PdfDocument } from '../document/document'
import { STANDARD_KEYS, changeMetadata } from './metadata'
import type { MetadataField } from './xmp'

const MAX_LENGTH = 2000

/** Text without characters that XML doesn't allow, because XMP repeats the text. */
export const metadataText = z
  .string()
  .max(MAX_LENGTH)
  .refine(
    value => !/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value),
    'holds a control character or half of a character; use plain text',
  )

const RULE = `At most ${MAX_LENGTH.toLocaleString('en')} characters of any script. Left out: stays as it is. Empty: is removed.`

function dateOption(meaning: string) {
  return z
    .string()
    .superRefine((value, context) => {
      const problem = value === '' ? undefined : dateProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: `${JSON.stringify(value.slice(0, 60))} ${problem}` })
    })
    .optional()
    .describe(
      `${meaning} in ISO 8601, such as 2025-03-01 or 2025-03-01T14:30:00+01:00. Left out: stays as it is. Empty: ` +
        'is removed.',
    )
}

const customKey = z
  .string()
  .min(1)
  .max(60)
  .refine(
    key => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(key) && key.trim() === key,
    'is no name for an entry; use letters, digits and blanks inside',
  )
  .refine(
    key => !STANDARD_KEYS.includes(key),
    `is not custom; ${STANDARD_KEYS.slice(0, -1).join(', ')} have options of their own, and Trapped can't be set`,
  )

/** The options for the document's metadata. */
export const metadataShape = {
  title: metadataText.optional().describe(`Title of the document. ${RULE}`),
  author: metadataText.optional().describe(`Who wrote it. ${RULE}`),
  subject: metadataText.optional().describe(`What it is about. ${RULE}`),
  keywords: z
    .union([metadataText, z.array(metadataText.min(1)).max(200)])
    .refine(
      value => typeof value === 'string' || value.join(', ').length <= MAX_LENGTH,
      `has more than ${MAX_LENGTH.toLocaleString('en')} characters together`,
    )
    .optional()
    .describe(`Keywords, separated by commas, or an array of them. ${RULE}`),
  creator: metadataText.optional().describe(`Program that the document was written with. ${RULE}`),
  producer: metadataText.optional().describe(`Program that made the PDF. ${RULE}`),
  creationDate: dateOption('When the document was made,'),
  modDate: dateOption('When it was changed last; never set by itself,'),
  custom: z
    .record(customKey, metadataText.nullable())
    .refine(entries => Object.keys(entries).length <= 50, 'has more than 50 entries')
    .meta({ maxProperties: 50 })
    .optional()
    .describe(
      'Further entries by name, at most 50; null or an empty text removes one. In a PDF/A file, adding any ends ' +
        'the claim of conformance.',
    ),
}

type MetadataOptions = z.output<z.ZodObject<typeof metadataShape>>

/** Changes the document's metadata. Omitted options change nothing. */
export function applyMetadata(
  document: PdfDocument,
  { custom, keywords, title, author, subject, creator, producer, creationDate, modDate }: MetadataOptions,
): void {
  const values = {
    title,
    author,
    subject,
    keywords: Array.isArray(keywords) ? keywords.join(', ') : keywords,
    creator,
    producer,
    creationDate,
    modDate,
  }
  const fields = new Map<MetadataField, string>()
  for (const [field, value] of Object.entries(values) as [MetadataField, string | undefined][])
    if (value !== undefined) fields.set(field, value)
  if (fields.size || custom) changeMetadata(document, { fields, custom: new Map(Object.entries(custom ?? {})) })
}
