import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { inForm, onlyIf } from '../options/form-hints'
import { fillTemplate, padNumber, templateProblem } from '../options/name-template'
import { outputNameOption, pagesOption } from '../options/schemas'
import { withoutHiddenAnnotations } from '../pdf/rewrite-content'
import { readPageLabels, writeLabel } from '../pdf/document'
import { PAGE_QUALITY } from '../pdf/render'
import { assertFewPages, resolvePages } from '../options/selectors'
import { drawContactSheet } from '../features/images-out/contact-sheet'
import { drawPageImages } from '../features/images-out/draw-page-images'
import { FORMAT_FACTS, IMAGE_FORMATS } from '../features/images-out/image-format'
import { sizePages } from '../features/images-out/image-size'
import type { SizedPage } from '../features/images-out/image-size'
import { defineTool, toFile } from './define'
import type { ToolInput, ToolOutput } from './define'
import { freeName, partName } from '../file-name'
import { blameIn } from '../options/checks'

const MAX_PAGES = 500
const MOST_SIDE = 20_000
const DPI = 150
const NAME_TEMPLATE = '{name}-{page}'
const PLACEHOLDERS = ['name', 'index', 'page', 'label']

const sheetSchema = z.strictObject({
  columns: z.number().int().min(1).max(20).default(4).describe('Number of pages in a row.'),
  pageWidth: z
    .number()
    .int()
    .min(20)
    .max(2000)
    .default(240)
    .describe('Width of a column in pixels. Pages keep their proportions. A page is at most 1.5 times as high.')
    .meta(inForm({ label: 'Page width in pixels' })),
  gap: z
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe('Space between pages, and around all pages, in pixels.')
    .meta(inForm({ label: 'Gap in pixels' })),
  labels: z
    .boolean()
    .default(true)
    .describe('If `true`, each page has its page label under it, or its number if the document has no page labels.')
    .meta(inForm({ label: 'Show page labels' })),
})

const side = (name: string, label: string) =>
  z
    .number()
    .int()
    .min(1)
    .max(MOST_SIDE)
    .optional()
    .describe(
      `${name} of the images in pixels, in place of \`dpi\`. Pages keep their proportions. With \`width\` and ` +
        '`height`, each image has the largest size that fits inside.',
    )
    .meta(inForm({ label, appliesIf: [{ contactSheet: 'unset', dpi: 'unset' }] }))

const optionsSchema = z
  .strictObject({
    format: z
      .enum(IMAGE_FORMATS)
      .default('png')
      .describe('Format of the images. `png` is lossless. `jpeg` and `webp` are lossy.')
      .meta(inForm({ choices: { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' } })),
    dpi: z
      .number()
      .min(8)
      .max(2400)
      .optional()
      .describe(
        `Resolution in DPI. Default: ${DPI}. If an image would have too many pixels, the request returns an error ` +
          'with the largest DPI for that page.',
      )
      .meta(
        inForm({
          label: 'Resolution in DPI',
          appliesIf: [{ contactSheet: 'unset', width: 'unset', height: 'unset' }],
        }),
      ),
    width: side('Width', 'Width in pixels'),
    height: side('Height', 'Height in pixels'),
    pages: pagesOption(
      `Pages to draw, in this order. Default: all. If this is more than ${MAX_PAGES} pages, the request returns an error.`,
    ).optional(),
    color: z
      .enum(['rgb', 'gray'])
      .default('rgb')
      .describe('Colors of the images: `rgb`, or shades of gray. Gray WebP files have RGB pixels without color.')
      .meta(inForm({ choices: { rgb: 'Color', gray: 'Gray' } })),
    background: z
      .enum(['white', 'transparent'])
      .default('white')
      .describe('Background of the pages. `transparent` requires format `png` or `webp`, and no `contactSheet`.')
      .meta(
        inForm({
          choices: { white: 'White', transparent: 'Transparent' },
          appliesIf: [{ format: ['png', 'webp'], contactSheet: 'unset' }],
        }),
      ),
    quality: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(`Quality for formats \`jpeg\` and \`webp\`, from 1 to 100. Default: ${PAGE_QUALITY}.`)
      .meta(onlyIf({ format: ['jpeg', 'webp'] })),
    annotations: z
      .boolean()
      .default(true)
      .describe('If `true`, the images show annotations and form fields, as on screen.')
      .meta(inForm({ label: 'Show annotations and form fields' })),
    contactSheet: sheetSchema
      .optional()
      .describe('Returns one image with all selected pages in rows, in place of one image per page.')
      .meta(inForm({ label: 'Contact sheet' })),
    zip: z
      .boolean()
      .default(false)
      .describe('If `true`, the response is a ZIP even for one page. Several pages are always a ZIP.')
      .meta(inForm({ label: 'Always return a ZIP', appliesIf: [{ contactSheet: 'unset' }] })),
    nameTemplate: boundedText(200)
      .min(1)
      .default(NAME_TEMPLATE)
      .describe(
        'File names in the ZIP. `{name}` is the name of the input, `{page}` the page number, and `{label}` the page ' +
          'label. `{index}` is the position among the selected pages, from 1. Numbers are padded with zeros so that ' +
          'the names sort.',
      )
      .meta(inForm({ label: 'File name template', appliesIf: [{ contactSheet: 'unset' }] })),
    outputName: outputNameOption('report-images.zip'),
  })
  .superRefine((options, context) => {
    const blame = blameIn(context)
    const { format, contactSheet, zip, nameTemplate } = options
    for (const option of ['width', 'height'] as const)
      if (options.dpi !== undefined && options[option] !== undefined)
        blame(option, "can't be combined with dpi. Send only one of them.")
    if (options.quality !== undefined && format === 'png')
      blame('quality', 'only applies to formats "jpeg" and "webp". The format is "png", which is lossless.')
    if (options.background === 'transparent' && format === 'jpeg')
      blame('background', 'must be "white" with format "jpeg". Use format "png" or "webp" for transparency.')
    if (contactSheet) {
      const message = "can't be combined with contactSheet."
      for (const option of ['dpi', 'width', 'height'] as const)
        if (options[option] !== undefined) blame(option, `${message} Use contactSheet.pageWidth for the size of pages.`)
      if (options.background === 'transparent') blame('background', `must be "white" with contactSheet.`)
      if (zip) blame('zip', `${message} A contact sheet is always a single image.`)
    }
    if (contactSheet && nameTemplate !== NAME_TEMPLATE)
      blame('nameTemplate', 'only applies to images in a ZIP. Use outputName for the name of a single image.')
    const problem = templateProblem(nameTemplate, PLACEHOLDERS)
    if (problem) blame('nameTemplate', problem)
  })

type Options = z.output<typeof optionsSchema>

const WHEN = 'one page is selected or `contactSheet` is set, and `format` is'

export const pdfToImages = defineTool({
  id: 'pdf-to-images',
  title: 'Convert pages to images',
  summary: 'Converts pages to PNG, JPEG or WebP images. Returns a ZIP, the image of one page, or a contact sheet.',
  files: 'one',
  suffix: 'images',
  group: 'Convert',
  command: 'images',
  tagline: 'PNG, JPEG or WebP, one file per page.',
  responses: 'application/zip',
  warnings: ['text-not-drawn'],
  otherResponses: [
    { contentType: 'image/png', when: `${WHEN} \`png\`` },
    { contentType: 'image/jpeg', when: `${WHEN} \`jpeg\`` },
    { contentType: 'image/webp', when: `${WHEN} \`webp\`` },
  ],
  mostPages: MAX_PAGES,
  timeLimits: () => 'ocr',
  step: { result: () => 'images' },
  options: optionsSchema,
  sections: [
    {
      heading: 'What the images show',
      paragraphs: [
        'Images show pages as on screen: rotated, cropped to the CropBox, with visible layers and their annotations. JPEG and PNG files ' +
          'contain their resolution. WebP files have no field for it.',
        "If Sheaf can't draw a page, the request returns an error with the page number. No page becomes a white image " +
          'for this reason.',
      ],
    },
    {
      heading: 'Transparent background',
      paragraphs: [
        'With `background: transparent`, places without content are transparent. Edges are partly transparent. On ' +
          'white, the image looks like the same page with a white background, within small rounding differences.',
        'Blend modes, such as Multiply, are an exception. They mix with the content of the page only, not with the ' +
          'white of the paper. Such objects may look different.',
      ],
    },
  ],
  examples: [
    { title: 'One PNG per page', options: { dpi: 100 } },
    {
      title: 'The first page as a JPEG of 800 pixels width',
      options: { pages: [1], format: 'jpeg', width: 800 },
    },
    { title: 'A contact sheet with three columns', options: { contactSheet: { columns: 3 } } },
    {
      title: 'Gray WebP images that fit into a square',
      options: { format: 'webp', color: 'gray', width: 600, height: 600 },
    },
  ],
  async run([input], options): Promise<ToolOutput> {
    const { format, color, background, annotations, quality = PAGE_QUALITY, contactSheet } = options
    // PDFium draws annotations on hidden layers.
    const document = annotations ? withoutHiddenAnnotations(input.document) : input.document
    const style = { format, color, background, annotations, quality }
    const { extension, contentType } = FORMAT_FACTS[format]
    const pageIndexes = resolvePages(options.pages ?? 'all', document.pageCount, 'options.pages')
    assertFewPages(pageIndexes, MAX_PAGES)
    if (contactSheet) {
      const bytes = await drawContactSheet(document, pageIndexes, { layout: contactSheet, style })
      return toFile(bytes, contentType, extension)
    }
    const { width, height, dpi } = options
    const size = width === undefined && height === undefined ? { dpi: dpi ?? DPI } : { width, height }
    const pages = sizePages(document, pageIndexes, { size, format })
    if (pages.length === 1 && !options.zip) {
      for await (const { bytes } of drawPageImages(document, pages, style)) return toFile(bytes, contentType, extension)
    }
    const names = nameImages(input, pages, options)
    return { kind: 'zip', parts: [], others: listFiles(drawPageImages(document, pages, style), names) }
  },
})

function nameImages(
  { name, document }: ToolInput,
  pages: readonly SizedPage[],
  { format, nameTemplate }: Options,
): string[] {
  const labels = nameTemplate.includes('{label}') ? readPageLabels(document) : undefined
  const used = new Map<string, number>()
  return pages.map(({ pageIndex }, index) => {
    const page = padNumber(pageIndex + 1, document.pageCount)
    const label = labels?.[pageIndex]
    const words = { name, page, index: padNumber(index + 1, pages.length), label: (label && writeLabel(label)) || page }
    return `${freeName(partName(fillTemplate(nameTemplate, words)), used)}.${FORMAT_FACTS[format].extension}`
  })
}

/** Names the images while they are drawn, so that the archive gets one after another. */
async function* listFiles(
  images: AsyncIterable<{ bytes: Uint8Array }>,
  names: readonly string[],
): AsyncGenerator<{ file: string; bytes: Uint8Array }> {
  let at = 0
  for await (const { bytes } of images) yield { file: names[at++] ?? '', bytes }
}
