import * as z from 'zod'
import { EngineError } from '../errors'
import { drawImagePages } from '../features/images-in/draw-image-pages'
import { FORMAT_NAMES } from '../features/images-in/file-format'
import { FITS } from '../features/images-in/place-image'
import type { PageLayout } from '../features/images-in/place-image'
import { recognizeImages } from '../features/images-in/recognize-images'
import { reportRecognition } from '../features/ocr/report-recognition'
import { resolveLanguages } from '../features/ocr/recognizer/languages'
import { inForm, onlyIf } from '../options/form-hints'
import { PAGE_SIZE_HELP, pageSizeOption, readPageSize } from '../options/page-size-option'
import { colorOption, languageCodes, lengthOption, outputNameOption } from '../options/schemas'
import { applyMetadata, metadataText } from '../pdf/metadata'
import { createDocument } from '../pdf/page'
import { defineTool } from './define'
import { blameIn } from '../options/checks'

const DPI = 96
const FIT = 'contain'
const MOST_OCR_PAGES = 200

const onSizedPages = { pageSize: { not: ['image'] } }

const optionsSchema = z
  .strictObject({
    pageSize: pageSizeOption({ image: 'Size of the image' })
      .default('image')
      .describe(
        `Size of the pages: \`image\`, ${PAGE_SIZE_HELP}. With \`image\`, each page has the size of its image at its ` +
          'resolution, plus the margins.',
      ),
    orientation: z
      .enum(['auto', 'portrait', 'landscape'])
      .default('auto')
      .describe(
        'Orientation of the pages. `auto` turns pages of a named size to the orientation of their image. Requires a ' +
          '`pageSize` other than `image`.',
      )
      .meta(
        inForm({
          choices: { auto: 'Like the image', portrait: 'Portrait', landscape: 'Landscape' },
          appliesIf: [onSizedPages],
        }),
      ),
    margin: lengthOption('Space on all four sides of the image.', { min: 0, max: 1440, usual: 0 }),
    fit: z
      .enum(FITS)
      .optional()
      .describe(
        'How images fill the page inside of its margins. `contain`: as large as possible. `cover`: the image fills ' +
          'all of the room, and parts of it are cut off. `actual`: in the size of its resolution, or smaller if it ' +
          `doesn't fit. Default: \`${FIT}\`. Requires a \`pageSize\` other than \`image\`.`,
      )
      .meta(
        inForm({
          choices: { contain: 'As large as possible', cover: 'Fill and crop', actual: 'Actual size' },
          appliesIf: [onSizedPages],
        }),
      ),
    dpi: z
      .number()
      .min(1)
      .max(9600)
      .default(DPI)
      .describe('Resolution of images that state none. Most photos and scans state one.')
      .meta(inForm({ label: 'Resolution of images without one, in DPI' })),
    background: colorOption('Color of the page, in the margins and behind transparent images.', '#FFFFFF'),
    ocr: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, recognizes text in the images and adds it as invisible text. Readers can search and copy it. ' +
          `Send at most ${MOST_OCR_PAGES} images.`,
      )
      .meta(inForm({ label: 'Recognize text' })),
    languages: languageCodes
      .optional()
      .describe(
        'With `ocr`: languages of the text as Tesseract codes, such as `eng`, `deu` or `chi_sim`. Put the most ' +
          'important language first. Default: `eng`.',
      )
      .meta(onlyIf({ ocr: [true] })),
    bookmarks: z
      .boolean()
      .default(false)
      .describe('If `true`, adds a bookmark for each file, with its name.')
      .meta(inForm({ label: 'Add a bookmark for each file' })),
    title: metadataText.min(1).optional().describe('Title of the document. Any script.'),
    outputName: outputNameOption('photo-images.pdf'),
  })
  .superRefine(({ pageSize, orientation, fit, ocr, languages }, context) => {
    const blame = blameIn(context)
    if (isImageSize(pageSize)) {
      const message = 'only applies to pages with a size of their own. Set pageSize, such as "A4".'
      if (fit !== undefined) blame('fit', message)
      if (orientation !== 'auto') blame('orientation', message)
    }
    if (languages && !ocr) blame('languages', 'only applies to recognized text. Set ocr to true.')
  })

type Options = z.output<typeof optionsSchema>

export const imagesToPdf = defineTool({
  id: 'images-to-pdf',
  title: 'Convert images to PDF',
  summary: `Converts ${FORMAT_NAMES} images to one PDF, with one page per image. Can recognize text.`,
  files: 'many',
  fileCount: { least: 1 },
  accepts: 'images',
  suffix: 'images',
  group: 'Convert',
  command: 'from-images',
  tagline: 'Photos and scans as one PDF.',
  responses: 'application/pdf',
  warnings: ['ocr-low-confidence', 'scale-reduced'],
  timeLimits: ({ ocr }) => (ocr ? 'ocr' : undefined),
  step: { result: () => 'pdf' },
  options: optionsSchema,
  sections: [
    {
      heading: 'Formats',
      paragraphs: [
        'Sheaf finds the format of each file by its content. File names have no effect. Pages follow the order of the ' +
          'files.',
      ],
      table: {
        columns: ['Format', 'In the PDF'],
        rows: [
          [
            'JPEG',
            'The image data of the file, without new compression. Baseline and progressive, in gray, RGB and CMYK. ' +
              'Metadata such as EXIF and GPS positions is left out.',
          ],
          ['PNG', 'Without loss: all depths and color types, interlaced files, transparency.'],
          [
            'TIFF',
            'One page per image. Fax data stays black and white (Group 4). JPEG data in one part is not compressed ' +
              'again. Everything else is stored without loss. This covers uncompressed, LZW, Deflate and PackBits data ' +
              'in strips or tiles. Pixels can be gray, RGB, CMYK or palette colors with 1 to 16 bits per sample.',
          ],
          [
            'WebP',
            'Lossless files without loss. The pixels of lossy files are compressed as JPEG with quality 95. ' +
              'Animations return an error.',
          ],
          ['GIF', 'The first frame, without loss.'],
          ['BMP', 'Without loss.'],
        ],
      },
      after: [
        'HEIC, AVIF, JPEG 2000 and SVG return an error that names the format. Convert these images to JPEG or PNG first.',
        'Color profiles (ICC) of JPEG, PNG, TIFF and WebP files become color spaces of the PDF. Gamma values of PNG files ' +
          'without a profile are left out. EXIF orientations are applied, without a change of the image data.',
      ],
    },
  ],
  examples: [
    { title: 'One page per image, in the size of the image', options: {} },
    { title: 'On A4 pages with margins', options: { pageSize: 'A4', margin: '10mm' } },
    { title: 'A searchable PDF of scans', options: { pageSize: 'A4', ocr: true, languages: ['eng'] } },
  ],
  async read(files, options, context) {
    const { ocr, title, background, bookmarks } = options
    const languages = ocr
      ? resolveLanguages(options.languages ?? ['eng'], 'options.languages', context.limits.ocrLanguagesFolder)
      : []
    const document = createDocument(context.limits)
    const drawn = await drawImagePages(document, files, {
      layout: layoutOf(options),
      usualDpi: options.dpi,
      background,
      bookmarks,
    })
    if (ocr) {
      if (drawn.length > MOST_OCR_PAGES)
        throw new EngineError(
          'too_large',
          `options.ocr: must be used for at most ${MOST_OCR_PAGES} images. Got ${drawn.length.toLocaleString('en')}. ` +
            'Send fewer images at once.',
          { param: 'options.ocr' },
        )
      const readings = await recognizeImages(document, drawn, {
        languages,
        languagesFolder: context.limits.ocrLanguagesFolder,
        pageLimitMs: context.limits.ocrPageTimeoutMs,
      })
      reportRecognition(readings, 0, context)
    }
    if (title !== undefined) applyMetadata(document, { title })
    return { kind: 'pdf', document }
  },
})

function isImageSize(pageSize: Options['pageSize']): boolean {
  return typeof pageSize === 'string' && pageSize.toLowerCase() === 'image'
}

function layoutOf({ pageSize, orientation, margin, fit = FIT }: Options): PageLayout {
  // Custom sizes say which side is which, so images don't turn them.
  const isCustom = typeof pageSize !== 'string'
  return {
    pageSize: readPageSize(pageSize),
    orientation: isCustom && orientation === 'auto' ? 'keep' : orientation,
    margin,
    fit,
  }
}
