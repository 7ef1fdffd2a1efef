import { PDFName } from 'pdf-lib'
import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { EngineError } from '../errors'
import type { PageLabel, PdfDocument } from '../pdf/document'
import { PAGE_LAYOUTS, PAGE_MODES, setViewerPreferences, writePageLabels } from '../pdf/document'
import { applyMetadata, metadataShape, metadataText } from '../pdf/metadata'
import { writeText } from '../pdf/syntax'
import * as Name from '../pdf/names'
import { outputNameOption } from '../options/schemas'
import { resolvePage } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'

const STYLES = {
  decimal: 'D',
  'roman-lower': 'r',
  'roman-upper': 'R',
  'alpha-lower': 'a',
  'alpha-upper': 'A',
  none: undefined,
} as const

const labelRange = z.strictObject({
  from: z
    .number()
    .int()
    .min(1)
    .describe('Page at which the range starts, from 1. The range ends before the next range.')
    .meta(inForm({ label: 'First page' })),
  style: z
    .enum(['decimal', 'roman-lower', 'roman-upper', 'alpha-lower', 'alpha-upper', 'none'])
    .default('decimal')
    .describe('Style of the number: 1, i, I, a, A, or none.')
    .meta(
      inForm({
        label: 'Numerals',
        choices: {
          decimal: '1, 2, 3',
          'roman-lower': 'i, ii, iii',
          'roman-upper': 'I, II, III',
          'alpha-lower': 'a, b, c',
          'alpha-upper': 'A, B, C',
          none: 'None',
        },
      }),
    ),
  prefix: metadataText.max(100).default('').describe('Text before the number, such as "A-".'),
  start: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Label number of the first page of the range.')
    .meta(inForm({ label: 'First number', appliesIf: [{ style: { not: ['none'] } }] })),
})

export const editMetadata = defineTool({
  id: 'edit-metadata',
  title: 'Edit metadata',
  summary:
    'Sets or removes title, author, dates and other properties, both in the information dictionary and in ' +
    'XMP. Also sets language, page labels and viewer preferences.',
  files: 'one',
  suffix: 'metadata',
  group: 'Text',
  tagline: 'Title, author, language and page labels.',
  responses: 'application/pdf',
  step: { result: () => 'pdf' },
  options: z
    .strictObject({
      ...metadataShape,
      language: boundedText(100)
        .refine(
          value => value === '' || isLanguage(value),
          'must be a BCP 47 language tag. Use for example "en", "en-GB" or "zh-Hant".',
        )
        .optional()
        .describe(
          'Language of the text for screen readers, as a BCP 47 tag such as `en-GB`. If you omit it, the language ' +
            'stays. An empty string removes it.',
        ),
      viewer: z
        .strictObject({
          displayTitle: z
            .boolean()
            .optional()
            .describe('If `true`, the title bar shows the title instead of the file name.')
            .meta(inForm({ label: 'Show the title in the title bar' })),
          pageMode: z
            .enum(Object.keys(PAGE_MODES) as (keyof typeof PAGE_MODES)[])
            .optional()
            .describe(
              'What viewers show when they open the document: a panel, such as the bookmarks, or the full screen.',
            )
            .meta(inForm({ label: 'Panel to open' })),
          pageLayout: z
            .enum(Object.keys(PAGE_LAYOUTS) as (keyof typeof PAGE_LAYOUTS)[])
            .optional()
            .describe('Page layout when viewers open the document. `left` and `right` are the side of odd pages.'),
          openPage: z
            .number()
            .int()
            .min(1)
            .optional()
            .describe("Number of the page to show first, from 1. Replaces the document's open action.")
            .meta(inForm({ label: 'Page to show first' })),
          direction: z
            .enum(['ltr', 'rtl'])
            .optional()
            .describe('Order of pages that viewers show side by side.')
            .meta(inForm({ label: 'Reading direction', choices: { ltr: 'Left to right', rtl: 'Right to left' } })),
        })
        .optional()
        .describe('How viewers show the document. Fields that you omit stay as they are.'),
      pageLabels: z
        .array(labelRange)
        .max(1000)
        .optional()
        .describe(
          'Page labels that viewers show. They replace the labels of the file. Pages before the first range ' +
            'are labeled 1, 2, 3. An empty array removes all labels.',
        ),
      outputName: outputNameOption('report-metadata.pdf'),
    })
    .refine(
      ({ outputName: _, ...changes }) => Object.values(changes).some(value => value !== undefined),
      'must change something. Set at least one property, such as {"title": "Annual report"}.',
    )
    .meta({ minProperties: 1 }),
  examples: [
    {
      title: 'Set title, author, subject and keywords',
      options: { title: 'Annual report', author: 'Ada Lovelace', subject: 'Results', keywords: 'report, results' },
    },
    {
      title: 'Remove the author, set language and dates',
      options: { author: '', language: 'en-GB', creationDate: '2025-03-01T14:30:00+01:00' },
    },
    {
      title: 'Label a preface i, ii and the other pages from 1',
      options: {
        pageLabels: [{ from: 1, style: 'roman-lower' }, { from: 3 }],
        viewer: { displayTitle: true, pageMode: 'bookmarks' },
      },
    },
  ],
  edit(document, { language, viewer, pageLabels, ...metadata }) {
    if (pageLabels) setLabels(document, pageLabels)
    if (viewer) setViewerPreferences(document, viewer, 'options.viewer')
    if (language) document.editCatalog().set(Name.Lang, writeText(Intl.getCanonicalLocales(language)[0] ?? language))
    if (language === '' && document.editCatalog().delete(Name.Lang)) document.saving.addedFeatures.add('lost-language')
    applyMetadata(document, metadata)
  },
})

function isLanguage(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false // The error only means that the tag is invalid.
  }
}

function setLabels(document: PdfDocument, ranges: z.output<typeof labelRange>[]): void {
  if (ranges.length === 0) {
    document.editCatalog().delete(Name.PageLabels)
    return
  }
  const labels: PageLabel[] = Array.from({ length: document.pageCount }, (_, index) => ({
    style: Name.D,
    prefix: undefined,
    number: index + 1,
  }))
  let before = -1
  for (const [position, range] of ranges.entries()) {
    const param = `options.pageLabels[${position}].from`
    const first = resolvePage(range.from, document.pageCount, param)
    if (first <= before)
      throw new EngineError(
        'options_invalid',
        `${param}: page ${range.from} must come after the first page of the range before. Sort the ranges by page.`,
        { param },
      )
    before = first
    const style = STYLES[range.style]
    const prefix = range.prefix ? writeText(range.prefix) : undefined
    for (let index = first; index < labels.length; index++)
      labels[index] = { style: style && PDFName.of(style), prefix, number: range.start + index - first }
  }
  writePageLabels(document, labels)
}
