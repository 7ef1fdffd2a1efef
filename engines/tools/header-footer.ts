import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { alternatives } from '../options/alternatives'
import { DATE_FORMAT_HELP, dateFormatProblem, localeProblem, timezoneProblem } from '../options/date-format'
import type { PdfDocument } from '../pdf/document'
import { embedImage } from '../pdf/images'
import { openTypesetter, Template } from '../pdf/typeset'
import { fileOption, readFileInput } from '../options/file-input'
import {
  colorOption,
  drawnTextOption,
  lengthOption,
  outputNameOption,
  pagesOption,
  xfaOption,
} from '../options/schemas'
import { listPages } from '../options/selectors'
import { PLACEHOLDERS, PlaceholderValues } from '../features/headers-footers/placeholder-values'
import { HeaderFooterWriter } from '../features/headers-footers/draw-headers-footers'
import { MOST_LINES } from '../features/headers-footers/row-layout'
import type { SlotContent } from '../features/headers-footers/row-layout'
import { SLOTS, arrangeHeaderAndFooter } from '../features/headers-footers/slots'
import type { HeaderAndFooter, Slots } from '../features/headers-footers/slots'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'
import { blameIn, checked } from '../options/checks'

const slotText = (meaning: string) =>
  drawnTextOption(meaning, { max: 300, hasLines: true }).superRefine(checked(slotProblem))

const logo = z.strictObject({
  image: fileOption('PNG or JPEG image.'),
  height: lengthOption('Height of the image on the page. The width keeps the aspect ratio.', {
    min: 4,
    max: 1000,
    usual: 24,
  }).meta(inForm({ label: 'Height' })),
})

const slot = (meaning: string) =>
  z
    .union([slotText(meaning), logo.meta(inForm({ title: 'Image' }))])
    .optional()
    .describe(`${meaning} Send a string, or an image as \`{image, height}\`.`)

const slots = (meaning: string) =>
  z
    .strictObject({
      left: slot('Content at the left margin.'),
      center: slot('Content in the center of the page.'),
      right: slot('Content at the right margin.'),
    })
    .optional()
    .describe(meaning)

const rows = (meaning: string) =>
  z
    .strictObject({ header: slots('Header of these pages.'), footer: slots('Footer of these pages.') })
    .optional()
    .describe(meaning)

export const headerFooter = defineTool({
  id: 'header-footer',
  title: 'Add headers and footers',
  summary:
    'Writes headers and footers on pages, upright as displayed. Placeholders insert page numbers, dates, and ' +
    'properties of the document such as its title.',
  files: 'one',
  suffix: 'header-footer',
  group: 'Mark',
  tagline: 'With numbers, dates and properties.',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  step: { result: () => 'pdf' },
  options: z
    .strictObject({
      header: slots(
        'Header of each page. Placeholders: `{page}`, `{total}`, `{date}`, `{time}`, `{filename}` (without ' +
          'extension), and `{title}`, `{author}` and `{subject}` of the document, which can be empty. To choose a ' +
          'style, write `{page:roman}` (or `ROMAN`, `alpha`, `ALPHA`), `{date:D MMMM YYYY}` or `{time:HH:mm:ss}`. ' +
          'Write `{{` and `}}` for braces. Text can have up to three lines. If text is too wide, Sheaf breaks it ' +
          'into up to three lines, then makes it smaller.',
      ),
      footer: slots('Footer of each page, in the format of `header`.'),
      headerText: slotText(
        'Text of a single header, at the position in `align`. Sheaf uses it if `header` has no content there.',
      ).optional(),
      footerText: slotText(
        'Text of a single footer, at the position in `align`. Sheaf uses it if `footer` has no content there.',
      ).optional(),
      align: z
        .enum(SLOTS)
        .default('center')
        .describe('Position of `headerText` and `footerText`.')
        .meta(inForm({ label: 'Position', appliesIf: [{ headerText: 'set' }, { footerText: 'set' }] })),
      pageRange: pagesOption('Pages that get headers and footers. Default: all.')
        .optional()
        .meta(inForm({ label: 'Pages', appliesIf: [{ pages: 'unset' }] })),
      pages: pagesOption('Alias of `pageRange`.')
        .optional()
        .meta(inForm({ label: 'Pages', appliesIf: [{ pages: 'set' }] })),
      skipFirst: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .describe('Number of selected pages to skip at the start.')
        .meta(inForm({ label: 'Pages to skip at the start' })),
      oddEven: z
        .strictObject({
          odd: rows('Headers and footers of odd pages of the file.').meta(inForm({ label: 'Odd pages' })),
          even: rows('Headers and footers of even pages of the file.').meta(inForm({ label: 'Even pages' })),
        })
        .prefault({})
        .describe(
          'Headers and footers that differ on odd and even pages, by position. An empty string clears the ' +
            'position.',
        )
        .meta(inForm({ label: 'Different odd and even pages' })),
      mirror: z
        .boolean()
        .default(false)
        .describe('If `true`, swaps left and right on even pages of the file. Positions in `oddEven` stay.')
        .meta(inForm({ label: 'Swap sides on even pages' })),
      startNumber: z
        .number()
        .int()
        .min(0)
        .max(9_999_999)
        .default(1)
        .describe(
          "Value of `{page}` on the first page of the file, even if that page isn't selected. `{total}` is " +
            'the value on the last page.',
        )
        .meta(inForm({ label: 'Number of the first page' })),
      dateFormat: boundedText(60)
        .superRefine(checked(dateFormatProblem))
        .meta({ minLength: 1 })
        .default('YYYY-MM-DD')
        .describe(`Format of \`{date}\`. ${DATE_FORMAT_HELP}`),
      timezone: boundedText(60)
        .superRefine(checked(timezoneProblem))
        .default('UTC')
        .describe('IANA time zone of `{date}` and `{time}`, such as `Europe/Berlin`.')
        .meta(inForm({ label: 'Time zone' })),
      locale: boundedText(60)
        .superRefine(checked(localeProblem))
        .default('en')
        .describe(
          'Language of month and weekday names, such as `de` or `pt-BR`. Also selects the regional forms of ' +
            'Chinese characters.',
        )
        .meta(inForm({ label: 'Language' })),
      fontSize: z.number().min(4).max(72).default(10).describe('Font size in points.'),
      color: colorOption('Color of text and line.', '#333333'),
      bold: z.boolean().default(false).describe('If `true`, uses bold type in scripts that have it.'),
      margin: lengthOption(
        'Distance of the text from the edges of the page as displayed. On small pages, the margin is at most a ' +
          'quarter of the side.',
        { min: 0, max: 1000, usual: 28 },
      ).meta(inForm({ label: 'Distance from the edges' })),
      line: z
        .enum(['none', 'thin'])
        .default('none')
        .describe('`thin` draws a line between the header or footer and the page content.')
        .meta(inForm({ choices: { none: 'None', thin: 'Thin' } })),
      makeRoom: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, shrinks the page content and annotations to 94% or less, so that headers and footers cover ' +
            'nothing. The page size stays.',
        )
        .meta(inForm({ label: 'Shrink content to make room' })),
      xfa: xfaOption,
      outputName: outputNameOption('report-header-footer.pdf'),
    })
    .superRefine((options, context) => {
      const blame = blameIn(context)
      if (options.pageRange !== undefined && options.pages !== undefined)
        blame('pages', 'is an alias of pageRange. Send only one of them.')
      const { odd, even } = options.oddEven
      const places = [options, odd, even]
        .flatMap(one => [one?.header, one?.footer])
        .flatMap(one => [one?.left, one?.center, one?.right])
      const hasText = [options.headerText, options.footerText, ...places].some(
        one => one !== undefined && (typeof one !== 'string' || one.trim() !== ''),
      )
      if (!hasText)
        blame(
          'header',
          'is required. Send header or footer with left, center or right, or send headerText or footerText.',
        )
    })
    .meta(
      alternatives(
        { required: ['header'] },
        { required: ['footer'] },
        { required: ['headerText'] },
        { required: ['footerText'] },
        { required: ['oddEven'] },
      ),
    ),
  examples: [
    {
      title: 'Header and footer by position',
      options: {
        header: { center: 'Annual report', right: '{date}' },
        footer: { right: 'Page {page} of {total}' },
        pageRange: 'all',
      },
    },
    {
      title: 'One header text and one footer text',
      options: { headerText: 'Confidential', footerText: '{page}/{total}' },
    },
    {
      title: 'A book with mirrored headers and none on the first page',
      options: {
        header: { left: '{title}', right: '{page}' },
        mirror: true,
        skipFirst: 1,
        line: 'thin',
        makeRoom: true,
      },
    },
  ],
  async run([input], options, { now, outline }) {
    const { document, name } = input
    const contents = arrangeHeaderAndFooter(readSlots(options, document))
    const { pageRange, pages } = options
    const param = pageRange === undefined ? 'options.pages' : 'options.pageRange'
    const chosen = listPages(pageRange ?? pages, document.pageCount, param).slice(options.skipFirst)
    const values = new PlaceholderValues({ document, fileName: name, now, ...options })
    const pen = new HeaderFooterWriter(await openTypesetter(), document, { ...options, outline })
    for (const pageIndex of chosen) {
      if (outline && pageIndex !== outline.pageIndex) continue
      const page = document.pages[pageIndex]
      const fill = (row: Slots<SlotSource>): Slots<SlotContent> =>
        Object.fromEntries(SLOTS.map(one => [one, row[one] && fillSlot(row[one], values, pageIndex)]))
      const { header, footer } = contents[pageIndex % 2 === 0 ? 'odd' : 'even']
      if (page) await pen.set(page, { header: fill(header), footer: fill(footer) })
    }
    pen.draw()
    return { kind: 'pdf', document }
  },
})

type Options = z.output<typeof headerFooter.options>

function slotProblem(text: string): string | undefined {
  const lines = text.split('\n').length
  if (lines > MOST_LINES) return `must have at most ${MOST_LINES} lines. Got ${lines}.`
  return Template.parse(text).problem(PLACEHOLDERS)
}

/** A text with its template, or an image. */
type SlotSource =
  | { text: string; param: string; template: Template }
  | (Exclude<SlotContent, { text: string }> & { text?: never })

function fillSlot(source: SlotSource, values: PlaceholderValues, pageIndex: number): SlotContent {
  if (source.text === undefined) return source
  return { text: source.template.fill(one => values.valueOf(one, pageIndex)), param: source.param }
}

/**
 * Returns the content of all slots, with the option of each text for errors. Throws EngineError `options_invalid` for
 * invalid images.
 */
function readSlots({ header, footer, headerText, footerText, oddEven, align, mirror }: Options, document: PdfDocument) {
  const read = (slotOption: string | z.output<typeof logo> | undefined, param: string): SlotSource | undefined => {
    if (slotOption === undefined) return undefined
    if (typeof slotOption === 'string') return { text: slotOption, param, template: Template.parse(slotOption) }
    return {
      image: embedImage(document, readFileInput(slotOption.image), `${param}.image`),
      heightPt: slotOption.height,
    }
  }
  const readRow = (row: Options['header'], param: string): Slots<SlotSource> =>
    Object.fromEntries(SLOTS.map(one => [one, read(row?.[one], `${param}.${one}`)]))
  const readHeads = (both: Options['oddEven']['odd'], param: string): HeaderAndFooter<SlotSource> => ({
    header: readRow(both?.header, `${param}.header`),
    footer: readRow(both?.footer, `${param}.footer`),
  })
  return {
    ...readHeads({ header, footer }, 'options'),
    headerText: read(headerText, 'options.headerText'),
    footerText: read(footerText, 'options.footerText'),
    oddEven: {
      odd: readHeads(oddEven.odd, 'options.oddEven.odd'),
      even: readHeads(oddEven.even, 'options.oddEven.even'),
    },
    align,
    mirror,
  }
}
