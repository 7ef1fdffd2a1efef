import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { resolveLanguages } from '../features/ocr/recognizer/languages'
import { makeSearchable } from '../features/ocr/make-searchable'
import { wordsOf } from '../features/ocr/page-text/page-text'
import { joinPageTexts, writePageText } from '../features/ocr/page-text/plain-text'
import { recognizePages } from '../features/ocr/read-pages'
import type { RecognizedPage } from '../features/ocr/read-pages'
import { reportRecognition } from '../features/ocr/report-recognition'
import { writeHocr } from '../features/ocr/output/write-hocr'
import { writeJson } from '../features/ocr/output/write-json'
import { writeTsv } from '../features/ocr/output/write-tsv'
import { languageCodes, outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { assertFewPages, listPages } from '../options/selectors'
import { defineTool, toFile } from './define'
import { RECOGNIZED_DOCUMENT } from './reports'
import type { ToolInput, ToolOutput } from './define'
import { inForm, onlyIf } from '../options/form-hints'
import { blameIn } from '../options/checks'

const POINTS_PER_INCH = 72
const SCALE = 3
const MAX_PAGES = 200

const optionsSchema = z
  .strictObject({
    languages: languageCodes
      .default(['eng'])
      .describe(
        'Languages of the text as Tesseract codes, such as `eng`, `deu` or `chi_sim`. Put the most important ' +
          "language first. Each language takes more time. If a language isn't installed, the request returns an " +
          'error that lists the installed codes.',
      ),
    scale: z
      .number()
      .min(1)
      .max(8)
      .optional()
      .describe(
        'Resolution of recognition, as a multiple of 72 DPI. Default: 3 (216 DPI). Pages that would have too ' +
          'many pixels get a lower resolution (warning `scale-reduced`).',
      )
      .meta(inForm({ label: 'Resolution as a multiple of 72 DPI', appliesIf: [{ dpi: 'unset' }] })),
    dpi: z
      .number()
      .int()
      .min(72)
      .max(576)
      .optional()
      .describe('Resolution of recognition in DPI, in place of `scale`. Default: 216. Use 300 or more for small print.')
      .meta(inForm({ label: 'Resolution in DPI' })),
    pages: pagesOption(
      `Pages to recognize. Default: all. If this is more than ${MAX_PAGES} pages, the request returns an error. A ` +
        'PDF keeps all of its pages. Other formats contain only the selected pages.',
    ).optional(),
    outputFormat: z
      .enum(['pdf', 'text', 'json', 'hocr', 'tsv', 'zip'])
      .default('pdf')
      .describe(
        'Format of the response. `pdf`: the document with text that you can search, select and copy. `text`: ' +
          'UTF-8 with a form feed between pages. `json`: text and words with confidence (0 to 100) and boxes. Boxes ' +
          'are in points from the lower-left corner of the page as displayed. `hocr` and `tsv`: words with boxes in ' +
          'pixels at the resolution of recognition, from the upper-left corner. `zip`: PDF, text and JSON.',
      )
      .meta(
        inForm({
          choices: {
            pdf: 'Searchable PDF',
            text: 'Plain text',
            json: 'JSON',
            hocr: 'hOCR',
            tsv: 'TSV',
            zip: 'ZIP with PDF, text and JSON',
          },
        }),
      ),
    preserveLayout: z
      .boolean()
      .default(false)
      .describe(
        'Layout of plain text, also in JSON and ZIP. If `true`, spaces keep columns and gaps. If `false`, Sheaf ' +
          'returns paragraphs in reading order.',
      )
      .meta(inForm({ label: 'Keep columns and gaps', appliesIf: [{ outputFormat: ['text', 'json', 'zip'] }] })),
    mode: z
      .enum(['auto', 'redo', 'force'])
      .default('auto')
      .describe(
        'What to recognize. `auto` keeps visible text. It recognizes pages without visible text. It also ' +
          'recognizes images if they cover 10% or more of a page with text. `auto` replaces invisible text of an ' +
          'earlier recognition if the new text differs. `redo` works like `auto`, but always replaces invisible ' +
          'text. `force` recognizes each selected page as it looks. Use it, for example, if copied text is garbled. ' +
          'In a PDF, `force` turns pages with visible text into images with invisible text (warning ' +
          '`page-rasterized`). Their size, links, annotations and fields stay. If Sheaf recognizes nothing on a ' +
          'page, the page stays as it is.',
      )
      .meta(
        inForm({
          label: 'What to recognize',
          choices: {
            auto: 'Pages without text',
            redo: 'Also text of an earlier recognition',
            force: 'Everything, as it looks',
          },
        }),
      ),
    rotate: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, detects pages that are sideways or upside down, for recognition only. The pages keep their ' +
          'rotation.',
      )
      .meta(inForm({ label: 'Detect rotated pages' })),
    deskew: z
      .boolean()
      .default(true)
      .describe('If `true`, straightens skewed lines, for recognition only. The pages keep their appearance.')
      .meta(inForm({ label: 'Straighten lines' })),
    whitelist: boundedText(500)
      .min(1)
      .optional()
      .describe('The only characters to recognize, such as `0123456789.,`. Default: all.')
      .meta(inForm({ label: 'Allowed characters' })),
    minConfidence: z
      .number()
      .min(0)
      .max(100)
      .default(0)
      .describe(
        'Minimum mean confidence of a page. If a page has a lower confidence, the response has the warning ' +
          "`ocr-low-confidence`. The warning also appears if Sheaf can't recognize the content of a page.",
      )
      .meta(inForm({ label: 'Minimum confidence' })),
    xfa: xfaOption.meta(onlyIf({ outputFormat: ['pdf', 'zip'] })),
    outputName: outputNameOption('report-ocr.pdf'),
  })
  .superRefine(({ scale, dpi }, context) => {
    if (scale !== undefined && dpi !== undefined)
      blameIn(context)('dpi', "can't be combined with scale. Send only one of them.")
  })

type Options = z.output<typeof optionsSchema>

export const pdfOcr = defineTool({
  id: 'pdf-ocr',
  title: 'Recognize text',
  summary:
    'Recognizes the text of scans and photos in many languages. Returns a searchable PDF, plain text, or ' +
    'words with their positions. The appearance of the pages stays the same, except with `mode: force`.',
  files: 'one',
  suffix: 'ocr',
  group: 'Text',
  tagline: 'Make scans searchable, or get plain text.',
  responses: 'application/pdf',
  otherResponses: [
    { contentType: 'text/plain', when: { outputFormat: 'text' } },
    { contentType: 'application/json', when: { outputFormat: 'json' } },
    { contentType: 'text/html', when: { outputFormat: 'hocr' } },
    { contentType: 'text/tab-separated-values', when: { outputFormat: 'tsv' } },
    { contentType: 'application/zip', when: { outputFormat: 'zip' } },
  ],
  report: RECOGNIZED_DOCUMENT,
  mostPages: MAX_PAGES,
  warnings: ['ocr-low-confidence', 'scale-reduced', 'page-rasterized', 'text-not-drawn', 'xfa-hides-changes'],
  timeLimits: () => 'ocr',
  step: { result: ({ outputFormat }) => (outputFormat === 'pdf' ? 'pdf' : outputFormat === 'zip' ? 'pdfs' : 'other') },
  options: optionsSchema,
  examples: [
    { title: 'Make a scan searchable', options: { languages: ['eng'] } },
    {
      title: 'Extract text with its columns',
      options: { languages: ['eng', 'deu'], outputFormat: 'text', preserveLayout: true },
    },
    {
      title: 'Extract the words of the first page with their positions',
      options: { pages: [1], dpi: 300, outputFormat: 'json' },
    },
  ],
  async run([input], options, context): Promise<ToolOutput> {
    const languages = resolveLanguages(options.languages, 'options.languages', context.limits.ocrLanguagesFolder)
    const indexes = listPages(options.pages, input.document.pageCount, 'options.pages')
    assertFewPages(indexes, MAX_PAGES)
    const readings = await recognizePages(input.document, indexes, {
      languages,
      languagesFolder: context.limits.ocrLanguagesFolder,
      whitelist: options.whitelist ?? '',
      mode: options.mode,
      dpi: options.dpi ?? (options.scale ?? SCALE) * POINTS_PER_INCH,
      turns: options.rotate,
      levels: options.deskew,
      pageLimitMs: context.limits.ocrPageTimeoutMs,
    })
    reportRecognition(readings, options.minConfidence, context)
    return makeOutput(input, readings, { ...options, languages })
  },
})

async function makeOutput(
  { name, document }: ToolInput,
  readings: RecognizedPage[],
  { outputFormat, preserveLayout, languages }: Options,
): Promise<ToolOutput> {
  const text = (): string => joinPageTexts(readings.map(page => writePageText(page.text, { preserveLayout })))
  const json = (): string => writeJson(readings, { languages, preserveLayout })
  if (outputFormat === 'text') return toFile(text(), 'text/plain; charset=utf-8', 'txt')
  if (outputFormat === 'json') return toFile(json(), 'application/json', 'json')
  if (outputFormat === 'hocr') return toFile(writeHocr(readings, { languages }), 'text/html; charset=utf-8', 'hocr')
  if (outputFormat === 'tsv') return toFile(writeTsv(readings), 'text/tab-separated-values; charset=utf-8', 'tsv')
  if (readings.some(({ text: found, added }) => added && wordsOf(found).length > 0))
    await makeSearchable(document, readings)
  if (outputFormat === 'pdf') return { kind: 'pdf', document }
  const others = [
    { file: `${name}.txt`, bytes: Buffer.from(text()) },
    { file: `${name}.json`, bytes: Buffer.from(json()) },
  ]
  return { kind: 'zip', parts: [{ name, pages: readings.map(({ pageNumber }) => pageNumber), document }], others }
}
