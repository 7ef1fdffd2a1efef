import { z } from 'zod'
import { EngineError } from '../errors'
import { resolveLanguages } from '../ocr/recognizer/languages'
import { makeSearchable } from '../ocr/make-searchable'
import { confidenceOf } from '../ocr/text/page-geometry'
import { wordsOf } from '../ocr/text/page-text'
import { joinPageTexts, writePageText } from '../ocr/text/plain-text'
import { recognizePages } from '../ocr/read-pages'
import type { RecognizedPage } from '../ocr/read-pages'
import { writeHocr } from '../ocr/output/write-hocr'
import { writeJson } from '../ocr/output/write-json'
import { writeTsv } from '../ocr/output/write-tsv'
import { outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import type { ToolContext, ToolInput, ToolOutput } from './define'

const POINTS_PER_INCH = 72
const SCALE = 3
const MAX_PAGES = 200

const optionsSchema = z
  .strictObject({
    languages: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(5)
      .default(['eng'])
      .describe(
        'Languages of the text, the most important first, as three-letter codes such as `eng`, `deu` or `chi_sim`; ' +
          '1 to 5. Each one more takes more time. A code that is not installed is refused with a list of those that ' +
          'are.',
      ),
    scale: z
      .number()
      .min(1)
      .max(8)
      .optional()
      .describe(
        'How large pages are drawn for recognition, 1 to 8, where 1 is 72 pixels an inch; 3 by default (216 pixels ' +
          'an inch). Less for pages that would have too many pixels (warning `scale-reduced`).',
      ),
    dpi: z
      .number()
      .int()
      .min(72)
      .max(576)
      .optional()
      .describe('The same in pixels an inch, 72 to 576, in place of `scale`; 300 is usual.'),
    pages: pagesOption(
      `Pages to recognize, at most ${MAX_PAGES}; all when omitted. A PDF keeps all of its pages, the other formats ` +
        'hold the chosen ones only.',
    ).optional(),
    outputFormat: z
      .enum(['pdf', 'text', 'json', 'hocr', 'tsv', 'zip'])
      .default('pdf')
      .describe(
        '`pdf`: the document as it is, with its text to be searched, selected and copied. `text`: UTF-8 with a ' +
          'form feed between pages. `json`: text and words, with boxes in points from the lower-left corner of the ' +
          'page as seen and confidence from 0 to 100. `hocr` and `tsv`: words with boxes in pixels. `zip`: PDF, text ' +
          'and JSON.',
      ),
    preserveLayout: z
      .boolean()
      .default(false)
      .describe(
        'In text, also that of JSON and ZIP: true keeps columns side by side and gaps open by spaces; false writes ' +
          'paragraphs in reading order.',
      ),
    mode: z
      .enum(['auto', 'redo', 'force'])
      .default('auto')
      .describe(
        '`auto`: text that can be seen is kept and not recognized again, pictures and pages without text are ' +
          'recognized, and an unseen text of an earlier recognition is replaced where it says something else. ' +
          '`redo`: unseen text is replaced always. `force`: every chosen page is recognized as it looks, whatever ' +
          'text it has; for text that comes out garbled when it is copied. In a PDF a page with text that can be ' +
          'seen becomes a picture then, at the resolution of the recognition, under the text that was read (warning ' +
          '`page-rasterized`); its size, links, annotations and fields stay. A page on which nothing can be read ' +
          'stays as it is.',
      ),
    rotate: z
      .boolean()
      .default(true)
      .describe(
        'Whether pages that stand on their side or on their head are found and read; the pages stay as they are.',
      ),
    deskew: z
      .boolean()
      .default(true)
      .describe('Whether sloping lines are levelled for recognition; the pages stay as they are.'),
    whitelist: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The only characters that may be recognized, such as `0123456789.,`; all by default.'),
    minConfidence: z
      .number()
      .min(0)
      .max(100)
      .default(0)
      .describe(
        'Pages that are recognized with less mean confidence than this, 0 to 100, give the warning ' +
          '`ocr-low-confidence`. Pages with something on them that could not be read give it always.',
      ),
    xfa: xfaOption,
    outputName: outputNameOption,
  })
  .superRefine(({ scale, dpi }, context) => {
    if (scale !== undefined && dpi !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['dpi'],
        message: 'was sent together with scale, which says the same; send one of the two',
      })
  })

type Options = z.output<typeof optionsSchema>

export const pdfOcr = defineTool({
  id: 'pdf-ocr',
  title: 'Recognize text',
  summary:
    'Reads the text of scans and photographed pages, in many languages, and answers a searchable PDF, plain text, ' +
    'or words with their places; what the pages show stays untouched.',
  files: 'one',
  suffix: 'ocr',
  responses: 'application/pdf',
  otherResponses: [
    { contentType: 'text/plain', when: 'with `outputFormat` text' },
    { contentType: 'application/json', when: 'with `outputFormat` json' },
    { contentType: 'text/html', when: 'with `outputFormat` hocr' },
    { contentType: 'text/tab-separated-values', when: 'with `outputFormat` tsv' },
    { contentType: 'application/zip', when: 'with `outputFormat` zip' },
  ],
  warnings: ['ocr-low-confidence', 'scale-reduced', 'page-rasterized', 'xfa-hides-changes'],
  timeLimits: () => 'ocr',
  options: optionsSchema,
  examples: [
    { title: 'Make a scan searchable', options: { languages: ['eng'] } },
    {
      title: 'Text with its columns',
      options: { languages: ['eng', 'deu'], outputFormat: 'text', preserveLayout: true },
    },
    { title: 'Words of the first page with their places', options: { pages: [1], dpi: 300, outputFormat: 'json' } },
  ],
  async run([input], options, context): Promise<ToolOutput> {
    if (!input) throw new RangeError('pdf-ocr without a file') // The service requires one file.
    const languages = resolveLanguages(options.languages, 'options.languages', context.limits.ocrLanguagesFolder)
    const readings = await recognizePages(input.document, choosePages(input, options), {
      languages,
      languagesFolder: context.limits.ocrLanguagesFolder,
      whitelist: options.whitelist ?? '',
      mode: options.mode,
      dpi: options.dpi ?? (options.scale ?? SCALE) * POINTS_PER_INCH,
      turns: options.rotate,
      levels: options.deskew,
      pageLimitMs: context.limits.ocrPageTimeoutMs,
    })
    tell(readings, options, context)
    return makeOutput(input, readings, { ...options, languages })
  },
})

function choosePages({ document }: ToolInput, { pages }: Options): number[] {
  const indexes = [...resolvePageSet(pages, document.pageCount, 'options.pages')].sort((one, other) => one - other)
  if (indexes.length <= MAX_PAGES) return indexes
  throw new EngineError(
    'too-large',
    `options.pages: ${indexes.length.toLocaleString('en')} pages are more than the ${MAX_PAGES} that one call may ` +
      `recognize; choose fewer with "pages", such as "1-${MAX_PAGES}"`,
    { param: 'options.pages' },
  )
}

function tell(readings: RecognizedPage[], { minConfidence }: Options, { warn, header }: ToolContext): void {
  const recognized = readings.filter(({ source }) => source === 'ocr')
  header('X-OCR-Pages', String(recognized.length))
  if (readings.some(({ hasUnreadInk }) => hasUnreadInk)) warn('ocr-low-confidence')
  if (recognized.length === 0) return
  const mean = confidenceOf(recognized) ?? 0
  header('X-OCR-Confidence', mean.toFixed(1))
  const isUnsure = (reading: RecognizedPage): boolean =>
    reading.isTimedOut ||
    (reading.hasInk && (confidenceOf([reading]) ?? 0) <= 0) ||
    (confidenceOf([reading]) ?? 100) < minConfidence
  if (mean <= 0 || recognized.some(isUnsure)) warn('ocr-low-confidence')
  if (recognized.some(({ isReduced }) => isReduced)) warn('scale-reduced')
}

async function makeOutput(
  { name, document }: ToolInput,
  readings: RecognizedPage[],
  { outputFormat, preserveLayout, languages }: Options,
): Promise<ToolOutput> {
  const file = (text: string, contentType: string, extension: string): ToolOutput => ({
    kind: 'file',
    bytes: Buffer.from(text),
    contentType,
    extension,
  })
  const text = (): string => joinPageTexts(readings.map(page => writePageText(page.text, { preserveLayout })))
  const json = (): string => writeJson(readings, { languages, preserveLayout })
  if (outputFormat === 'text') return file(text(), 'text/plain; charset=utf-8', 'txt')
  if (outputFormat === 'json') return file(json(), 'application/json', 'json')
  if (outputFormat === 'hocr') return file(writeHocr(readings, { languages }), 'text/html; charset=utf-8', 'hocr')
  if (outputFormat === 'tsv') return file(writeTsv(readings), 'text/tab-separated-values; charset=utf-8', 'tsv')
  if (readings.some(({ text: found, added }) => added && wordsOf(found).length > 0))
    await makeSearchable(document, readings)
  if (outputFormat === 'pdf') return { kind: 'pdf', document }
  const others = [
    { file: `${name}.txt`, bytes: Buffer.from(text()) },
    { file: `${name}.json`, bytes: Buffer.from(json()) },
  ]
  return { kind: 'zip', parts: [{ name, pages: readings.map(({ pageNumber }) => pageNumber), document }], others }
}
