import * as z from 'zod'
import { recognizePages } from '../features/ocr/read-pages'
import type { RecognizedPage } from '../features/ocr/read-pages'
import { resolveLanguages } from '../features/ocr/recognizer/languages'
import { reportRecognition } from '../features/ocr/report-recognition'
import { inForm } from '../options/form-hints'
import { languageCodes, outputNameOption, pagesOption } from '../options/schemas'
import { assertFewPages, listPages } from '../options/selectors'
import { EXTRACTION_SECTIONS } from '../features/text-extraction/documentation'
import { extractText as extract } from '../features/text-extraction/extract-text'
import { writeJson } from '../features/text-extraction/writers/write-json'
import { writeMarkdown } from '../features/text-extraction/writers/write-markdown'
import { writePlainText } from '../features/text-extraction/writers/write-text'
import { defineTool, toFile } from './define'
import { EXTRACTED_DOCUMENT } from './reports'
import type { ToolContext } from './define'
import type { PdfDocument } from '../pdf/document'
import { blameIn } from '../options/checks'

/** Maximum number of pages to recognize. */
const MAX_RECOGNIZED = 200

/** Resolution of recognition. */
const DPI = 216

const optionsSchema = z
  .strictObject({
    format: z
      .enum(['text', 'markdown', 'json'])
      .default('text')
      .describe(
        'Format of the response. `text`: UTF-8 with a form feed between pages. `markdown`: headings, lists and ' +
          'tables as GitHub Flavored Markdown. `json`: blocks, lines and words of each page with boxes. Boxes are in ' +
          'points from the lower-left corner of the page as displayed.',
      )
      .meta(inForm({ choices: { text: 'Plain text', markdown: 'Markdown', json: 'JSON' } })),
    pages: pagesOption(
      'Pages to extract. The response has them in the order of the document. If omitted, all pages.',
    ).optional(),
    headersFooters: z
      .enum(['mark', 'keep', 'remove'])
      .default('mark')
      .describe(
        'What happens to headers, footers and page numbers. `mark`: JSON has the types `header` and `footer`, ' +
          'Markdown has comments, and plain text has lines that begin with `[Header]` or `[Footer]`. `keep`: they are ' +
          'ordinary paragraphs. `remove`: the response leaves them out. Without tags, Sheaf finds them by comparing ' +
          'the selected pages.',
      )
      .meta(
        inForm({
          label: 'Headers and footers',
          choices: { mark: 'Mark', keep: 'Keep as paragraphs', remove: 'Leave out' },
        }),
      ),
    layers: z
      .enum(['visible', 'all'])
      .default('visible')
      .describe(
        'Layers to read. `visible`: only layers that viewers show when they open the file (warning ' +
          '`hidden-layer-left-out` if other layers have content). `all`: the content of hidden layers too.',
      )
      .meta(inForm({ choices: { visible: 'Visible layers', all: 'All layers' } })),
    ocr: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, recognizes the text of pages that show an image and have no text. If `false`, such pages have no ' +
          `text in the response (warning \`page-without-text\`). At most ${MAX_RECOGNIZED} pages are recognized.`,
      )
      .meta(inForm({ label: 'Recognize scanned pages' })),
    languages: languageCodes
      .optional()
      .describe(
        'Languages of the scanned pages as Tesseract codes, such as `eng`, `deu` or `chi_sim`. Put the most important ' +
          "language first. Default: `eng`. If a language isn't installed, the request returns an error that lists the " +
          'installed codes. Requires `ocr`.',
      )
      .meta(inForm({ appliesIf: [{ ocr: [true] }] })),
    outputName: outputNameOption('report-text.txt'),
  })
  .superRefine(({ ocr, languages }, context) => {
    if (languages !== undefined && !ocr)
      blameIn(context)(
        'languages',
        'must be sent with ocr: true. Got ocr: false. Send "ocr": true, or leave out languages.',
      )
  })

type Options = z.output<typeof optionsSchema>

export const extractText = defineTool({
  id: 'extract-text',
  title: 'Extract text',
  summary:
    'Extracts the text of a PDF in reading order as plain text, Markdown or JSON. Finds columns, headings, lists, ' +
    'tables, headers and footers, with or without tags.',
  files: 'one',
  suffix: 'text',
  group: 'Text',
  command: 'text',
  tagline: 'Plain text, Markdown or JSON with tables.',
  responses: 'text/plain',
  otherResponses: [
    { contentType: 'text/markdown', when: { format: 'markdown' } },
    { contentType: 'application/json', when: { format: 'json' } },
  ],
  report: EXTRACTED_DOCUMENT,
  warnings: ['page-without-text', 'page-unreadable', 'hidden-layer-left-out', 'ocr-low-confidence', 'scale-reduced'],
  timeLimits: ({ ocr }) => (ocr ? 'ocr' : undefined),
  step: { result: () => 'other' },
  options: optionsSchema,
  sections: EXTRACTION_SECTIONS,
  examples: [
    { title: 'Extract plain text', options: {} },
    { title: 'Write Markdown without headers and footers', options: { format: 'markdown', headersFooters: 'remove' } },
    { title: 'Get the words of the first page with their boxes', options: { format: 'json', pages: [1] } },
  ],
  async run([input], options, context) {
    const { document } = input
    const indexes = listPages(options.pages, document.pageCount, 'options.pages')
    const recognize = options.ocr ? recognizer(document, options, context) : undefined
    const { pages, vocabulary, imagePages, damagedPages, hasHidden } = await extract(
      document,
      { pageIndexes: indexes, layers: options.layers },
      recognize,
    )
    if (imagePages.length > 0 && !options.ocr) context.warn('page-without-text')
    if (damagedPages.length > 0) context.warn('page-unreadable')
    if (hasHidden) context.warn('hidden-layer-left-out')
    const writing = { vocabulary, headersFooters: options.headersFooters }
    if (options.format === 'markdown')
      return toFile(writeMarkdown(pages, writing), 'text/markdown; charset=utf-8', 'md')
    if (options.format === 'json') return toFile(writeJson(pages, writing), 'application/json', 'json')
    return toFile(writePlainText(pages, writing), 'text/plain; charset=utf-8', 'txt')
  },
})

/** Returns the function that recognizes pages, and tells about the result in headers and warnings. */
function recognizer(document: PdfDocument, options: Options, { limits, warn, header }: ToolContext) {
  const languages = resolveLanguages(options.languages ?? ['eng'], 'options.languages', limits.ocrLanguagesFolder)
  header('X-OCR-Pages', '0')
  return async (indexes: number[]): Promise<RecognizedPage[]> => {
    assertFewPages(indexes, MAX_RECOGNIZED, 'scanned pages')
    const readings = await recognizePages(document, indexes, {
      languages,
      languagesFolder: limits.ocrLanguagesFolder,
      whitelist: '',
      mode: 'auto',
      dpi: DPI,
      turns: true,
      levels: true,
      pageLimitMs: limits.ocrPageTimeoutMs,
    })
    reportRecognition(readings, 0, { warn, header })
    return readings
  }
}
