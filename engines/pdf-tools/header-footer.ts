import { z } from 'zod'
import { EngineError } from '../errors'
import { alternatives } from '../options/alternatives'
import { DATE_FORMAT_HELP, dateFormatProblem, localeProblem, timezoneProblem } from '../options/date-format'
import type { PdfDocument } from '../pdf-core/document/document'
import { fileOption, readFileInput } from '../options/file-input'
import { embedImage } from '../pdf-core/images/images'
import {
  colorOption,
  drawnTextOption,
  lengthOption,
  outputNameOption,
  pagesOption,
  xfaOption,
} from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { PLACEHOLDERS, PlaceholderValues } from '../headers-footers/placeholder-values'
import { HeaderFooterWriter } from '../headers-footers/draw-headers-footers'
import { MOST_LINES } from '../headers-footers/row-layout'
import type { SlotContent } from '../headers-footers/row-layout'
import { SLOTS, arrangeHeaderAndFooter } from '../headers-footers/slots'
import type { HeaderAndFooter, Slots } from '../headers-footers/slots'
import { Template } from '../text/template'
import { openTypesetter } from '../text/typesetter'
import { defineTool } from './define'

const checked = (problemOf: (value: string) => string | undefined) => (value: string, context: z.RefinementCtx) => {
  const message = problemOf(value)
  if (message) context.addIssue({ code: 'custom', message })
}

const slotText = (meaning: string) =>
  drawnTextOption(meaning, { max: 300, hasLines: true }).superRefine(checked(slotProblem))

const logo = z.strictObject({
  image: fileOption('A PNG or JPEG.'),
  height: lengthOption('Height on the page; the width follows.', { min: 4, max: 1000, usual: 24 }),
})

const slot = (meaning: string) =>
  z
    .union([slotText(meaning), logo])
    .optional()
    .describe(`${meaning} A text, or a picture as \`{image, height}\`.`)

const slots = (meaning: string) =>
  z
    .strictObject({
      left: slot('At the left margin.'),
      center: slot('In the middle of the page.'),
      right: slot('At the right margin.'),
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
    'Writes headers and footers on pages, upright as the page is seen, with page numbers, dates and the document’s ' +
    'title where placeholders ask for them.',
  files: 'one',
  suffix: 'header-footer',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  options: z
    .strictObject({
      header: slots(
        'Texts at the top. Placeholders: `{page}`, `{total}`, `{date}`, `{time}`, `{title}`, `{author}` and ' +
          '`{subject}` of the document (empty where it says nothing), `{filename}` (without extension); ' +
          '`{page:roman}` (or `ROMAN`, `alpha`, `ALPHA`), `{date:D MMMM YYYY}` and `{time:HH:mm:ss}` say how; `{{` ' +
          'and `}}` are braces. At most three lines. What does not fit beside its neighbors is broken into up to ' +
          'three lines, then set smaller; nothing runs off the page.',
      ),
      footer: slots('Texts at the bottom, as in `header`.'),
      headerText: slotText('One text at the top, placed by `align`; stands where `header` has nothing.').optional(),
      footerText: slotText('One text at the bottom, placed by `align`; stands where `footer` has nothing.').optional(),
      align: z.enum(SLOTS).default('center').describe('Where `headerText` and `footerText` stand.'),
      pageRange: pagesOption('Pages that get them; all when omitted.').optional(),
      pages: pagesOption('Another name of `pageRange`.').optional(),
      skipFirst: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .describe('So many of these pages, from the first one on, are left out.'),
      oddEven: z
        .strictObject({ odd: rows('On odd pages of the file.'), even: rows('On even pages of the file.') })
        .prefault({})
        .describe('What is different on odd and even pages, place by place; an empty text leaves the place empty.'),
      mirror: z
        .boolean()
        .default(false)
        .describe(
          'Whether left and right change places on even pages of the file; what `oddEven` says stays where it is.',
        ),
      startNumber: z
        .number()
        .int()
        .min(0)
        .max(9_999_999)
        .default(1)
        .describe(
          '`{page}` of the first page of the file, also when others are chosen; `{total}` is that of the last page.',
        ),
      dateFormat: z
        .string()
        .max(60)
        .superRefine(checked(dateFormatProblem))
        .meta({ minLength: 1 })
        .default('YYYY-MM-DD')
        .describe(`How \`{date}\` is written. ${DATE_FORMAT_HELP}`),
      timezone: z
        .string()
        .max(60)
        .superRefine(checked(timezoneProblem))
        .default('UTC')
        .describe('Time zone of `{date}` and `{time}`, by its name in the IANA list such as `Europe/Berlin`.'),
      locale: z
        .string()
        .max(60)
        .superRefine(checked(localeProblem))
        .default('en')
        .describe(
          'Language of months and weekdays, such as `de` or `pt-BR`; for Han characters also that of their forms.',
        ),
      fontSize: z.number().min(4).max(72).default(10).describe('Points.'),
      color: colorOption('Of texts and line.', '#333333'),
      bold: z.boolean().default(false).describe('Bold, in scripts that have it.'),
      margin: lengthOption(
        'From the edges of the page as seen to the text; at most a quarter of a side where the page is small.',
        { min: 0, max: 1000, usual: 28 },
      ),
      line: z
        .enum(['none', 'thin'])
        .default('none')
        .describe('`thin` draws a line between header or footer and the page.'),
      makeRoom: z
        .boolean()
        .default(false)
        .describe(
          'Whether the page with its annotations is made smaller, to 94 % or as much as needed, so that nothing is ' +
            'covered. The size of the paper stays.',
        ),
      xfa: xfaOption,
      outputName: outputNameOption,
    })
    .superRefine((options, context) => {
      const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      if (options.pageRange !== undefined && options.pages !== undefined)
        problem('pages', 'is another name of pageRange; send only one of the two')
      const { odd, even } = options.oddEven
      const places = [options, odd, even]
        .flatMap(one => [one?.header, one?.footer])
        .flatMap(one => [one?.left, one?.center, one?.right])
      const hasText = [options.headerText, options.footerText, ...places].some(
        one => one !== undefined && (typeof one !== 'string' || one.trim() !== ''),
      )
      if (!hasText)
        problem(
          'header',
          'is missing, and so is any other text; send header or footer with left, center or right, or headerText ' +
            'or footerText',
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
      title: 'Header and footer by place',
      options: {
        header: { center: 'Annual report', right: '{date}' },
        footer: { right: 'Page {page} of {total}' },
        pageRange: 'all',
      },
    },
    { title: 'One text each', options: { headerText: 'Confidential', footerText: '{page}/{total}' } },
    {
      title: 'A book: mirrored, nothing on the first page',
      options: {
        header: { left: '{title}', right: '{page}' },
        mirror: true,
        skipFirst: 1,
        line: 'thin',
        makeRoom: true,
      },
    },
  ],
  async run([input], options, { now }) {
    if (!input) throw new EngineError('internal', 'No file was given.')
    const { document, name } = input
    const contents = arrangeHeaderAndFooter(readSlots(options, document))
    const chosen = choosePages(document.pageCount, options)
    const values = new PlaceholderValues({ document, fileName: name, now, ...options })
    const pen = new HeaderFooterWriter(await openTypesetter(), document, options)
    for (const pageIndex of chosen) {
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
  if (lines > MOST_LINES) return `has ${lines} lines; at most ${MOST_LINES} are allowed`
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
 * Returns the content of all slots, with the option of each text for errors. Throws EngineError `bad-options` for
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

/** Returns the selected pages in document order. */
function choosePages(pageCount: number, { pageRange, pages, skipFirst }: Options): number[] {
  const chosen = [
    ...resolvePageSet(pageRange ?? pages, pageCount, pageRange === undefined ? 'options.pages' : 'options.pageRange'),
  ].sort((one, other) => one - other)
  return chosen.slice(skipFirst)
}
