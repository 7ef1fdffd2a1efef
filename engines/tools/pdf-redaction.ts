import * as z from 'zod'
import { alternatives } from '../options/alternatives'
import { REDACTION_SECTIONS } from '../features/redaction/documentation'
import { redactionFields } from '../features/redaction/options'
import { redactDocument } from '../features/redaction/redact-document'
import type { RedactionRequest } from '../features/redaction/redact-document'
import { writeReport } from '../features/redaction/report'
import { isStillRedacted } from '../features/redaction/stay-redacted'
import { defineTool } from './define'

const VERIFIED = 'X-Redaction-Verified'

const optionsSchema = z
  .strictObject(redactionFields)
  .superRefine(({ areas, search: rules, images, ocr, languages, barcodes, onNoMatch }, context) => {
    if (!areas && !rules && images !== 'all')
      context.addIssue({
        code: 'custom',
        path: ['areas'],
        message: 'is required. Send areas, or rules in search.',
      })
    if (!rules && ocr)
      context.addIssue({ code: 'custom', path: ['ocr'], message: 'only applies to search. Send rules in search.' })
    if (!rules && barcodes)
      context.addIssue({
        code: 'custom',
        path: ['barcodes'],
        message: 'only applies to search. Send rules in search.',
      })
    if (languages && !ocr)
      context.addIssue({
        code: 'custom',
        path: ['languages'],
        message: 'only applies if ocr is true. Set ocr to true.',
      })
    if (!rules && onNoMatch !== 'ok')
      context.addIssue({
        code: 'custom',
        path: ['onNoMatch'],
        message: 'only applies to search. Send rules in search.',
      })
  })
  .meta(
    alternatives(
      { required: ['areas'] },
      { required: ['search'] },
      { required: ['images'], values: { images: ['all'] } },
    ),
  )

export const pdfRedaction = defineTool({
  id: 'pdf-redaction',
  title: 'Redact',
  summary:
    'Removes text, images and drawings under areas that you set. Removes matches of search rules from the whole ' +
    'file. Draws opaque boxes over removed content, and verifies the result with a second PDF engine. Also check ' +
    "the output yourself: Sheaf doesn't redact attached files, and search rules don't find handwriting.",
  files: 'one',
  suffix: 'redacted',
  group: 'Secure',
  command: 'redact',
  commandFlags: { search: 'search.text', regex: 'search.regex', preset: 'search.preset' },
  tagline: 'Text and images, removed and verified.',
  responses: 'application/pdf',
  otherResponses: [{ contentType: 'application/zip', when: { report: true }, what: 'the PDF and a JSON report' }],
  warnings: [
    'page-rasterized',
    'scale-reduced',
    'attachments-not-searched',
    'text-not-searchable',
    'text-not-drawn',
    'redaction-no-match',
    'text-outside-page',
    'tags-dropped',
    'characters-missing',
    'field-font-replaced',
    'text-cut',
    'ocr-low-confidence',
  ],
  timeLimits: ({ ocr, barcodes }) => (ocr || barcodes ? 'ocr' : undefined),
  sections: REDACTION_SECTIONS,
  step: {
    result: ({ report }) => (report ? 'pdfs' : 'pdf'),
    hides: ['search'],
    promises: (options, headers) => [
      {
        claim: 'has nothing left that the redaction removed',
        header: VERIFIED,
        async check({ bytes, limits, mayHaveMore }) {
          const verdict = await isStillRedacted(bytes, toRequest(options), { limits, mayHaveMore })
          const proven = verdict === 'holds' && headers[VERIFIED] !== 'true' ? 'unknown' : verdict
          return proven === 'unknown' && options.requireVerified ? 'broken' : proven
        },
      },
    ],
  },
  options: optionsSchema,
  examples: [
    { title: 'One area', options: { areas: [{ page: 1, x: 60, y: 674, width: 126, height: 18 }] } },
    {
      title: 'Red boxes with text',
      options: {
        areas: [{ page: 1, x: 60, y: 650, width: 224, height: 18, replacementText: 'REDACTED' }],
        color: { r: 200, g: 0, b: 30 },
      },
    },
    {
      title: 'The top of every page, in millimeters',
      options: {
        areas: [{ pages: 'all', x: 0, y: 0, width: 210, height: 45, unit: 'mm', origin: 'top-left' }],
        color: '#444444',
      },
    },
    {
      title: 'A name and all email addresses',
      options: { search: [{ text: 'Jane Doe', wholeWord: true, replacementText: 'name' }, { preset: 'email' }] },
    },
    { title: 'A name in text, scans and images', options: { search: [{ text: 'Jane Doe' }], ocr: true } },
    {
      title: 'File numbers by pattern, on the first two pages',
      options: { search: [{ regex: '[A-Z]{2}-\\d{4,6}', pages: '1-2' }] },
    },
  ],
  async run([input], options, context) {
    const { document, name } = input
    const redacted = await redactDocument(document, toRequest(options), context.limits)
    const { bytes, applied } = redacted
    context.header('X-Redactions-Applied', String(applied))
    context.header(VERIFIED, String(redacted.unchecked.length === 0))
    if (!options.report)
      return {
        kind: 'file',
        bytes,
        contentType: 'application/pdf',
        extension: 'pdf',
        pageCount: document.pageCount,
      }
    const part = `${name}-redacted`
    const facts = { ...redacted, warnings: document.warnings, file: { name: `${part}.pdf`, bytes } }
    return {
      kind: 'zip',
      parts: [{ name: part, pages: document.pages.map((_, index) => index + 1), chunks: [bytes] }],
      others: [{ file: 'report.json', bytes: writeReport(facts) }],
    }
  },
})

/** The request of these options. */
function toRequest({
  areas = [],
  search = [],
  languages = ['eng'],
  color,
  textColor,
  fontSize,
  repeatText,
  padding,
  ...others
}: z.output<typeof optionsSchema>): RedactionRequest {
  return { ...others, areas, search, languages, look: { color, textColor, fontSize, repeatText }, paddingPt: padding }
}
