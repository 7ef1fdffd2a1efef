import * as z from 'zod'
import { boundedRecord, boundedText } from '../../options/bounded-text'
import { dateProblem, MAX_DATE_LENGTH } from './dates'
import type { PdfDocument } from '../document/document'
import { STANDARD_KEYS, changeMetadata } from './metadata'
import type { MetadataField } from './xmp'
import { inForm } from '../../options/form-hints'
import { checked } from '../../options/checks'

const MAX_LENGTH = 2000
const MAX_CUSTOM = 50

/** Text without characters that XML doesn't allow, because XMP repeats the text. */
export const metadataText = boundedText(MAX_LENGTH).refine(
  value => !/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value),
  'must not contain control characters or unpaired surrogates. Use plain text.',
)

const RULE = 'Any script. If you omit it, the value stays. An empty string removes the value.'

function dateOption(meaning: string) {
  return boundedText(MAX_DATE_LENGTH)
    .superRefine(
      checked(value => {
        const problem = value === '' ? undefined : dateProblem(value)
        return problem && `${problem} ${JSON.stringify(value.slice(0, 60))}.`
      }),
    )
    .optional()
    .describe(
      `${meaning} Send ISO 8601, such as \`2025-03-01\` or \`2025-03-01T14:30:00+01:00\`. If you omit it, the ` +
        'value stays. An empty string removes the value.',
    )
}

const customKey = boundedText(60)
  .min(1)
  .refine(
    key => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(key) && key.trim() === key,
    'must be a valid entry name. Use letters, digits and spaces inside of the name.',
  )
  .refine(
    key => !STANDARD_KEYS.includes(key),
    `is a standard property. ${STANDARD_KEYS.slice(0, -1).join(', ')} have their own options, and Trapped ` +
      "can't be set.",
  )

/** The options for the document's metadata. */
export const metadataShape = {
  title: metadataText.optional().describe(`Title of the document. ${RULE}`),
  author: metadataText.optional().describe(`Author of the document. ${RULE}`),
  subject: metadataText.optional().describe(`Subject of the document. ${RULE}`),
  keywords: z
    .union([metadataText, z.array(metadataText.min(1)).max(200)])
    .refine(
      value => typeof value === 'string' || value.join(', ').length <= MAX_LENGTH,
      `must have at most ${MAX_LENGTH.toLocaleString('en')} characters together.`,
    )
    .optional()
    .describe(`Keywords, separated by commas, or an array of them. ${RULE}`),
  creator: metadataText.optional().describe(`Program that created the original document. ${RULE}`),
  producer: metadataText.optional().describe(`Program that produced the PDF. ${RULE}`),
  creationDate: dateOption('Creation date.'),
  modDate: dateOption('Date of the last change. Sheaf never sets this date automatically.').meta(
    inForm({ label: 'Modification date' }),
  ),
  custom: boundedRecord(customKey, metadataText.nullable(), MAX_CUSTOM)
    .optional()
    .describe(
      'Custom properties by name, at most 50. `null` or an empty string removes a property. If you add a property ' +
        'to a PDF/A file, Sheaf removes its conformance claim.',
    )
    .meta(inForm({ label: 'Custom properties' })),
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
