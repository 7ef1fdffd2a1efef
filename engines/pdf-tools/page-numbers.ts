import { z } from 'zod'
import { EngineError } from '../errors'
import { NUMERAL_HELP, NUMERAL_STYLES } from '../options/numerals'
import { POSITIONS, POSITION_ALIASES } from '../options/placement'
import {
  colorOption,
  drawnTextOption,
  lengthOption,
  opacityOption,
  outputNameOption,
  pagesOption,
  xfaOption,
} from '../options/schemas'
import { labelPages } from '../headers-footers/page-number-labels'
import { NUMBER_FORMATS, numberFormatProblem, numberStyleProblem, writeNumber } from '../headers-footers/number-format'
import { planNumbers } from '../headers-footers/plan-page-numbers'
import type { NumberedPage } from '../headers-footers/plan-page-numbers'
import { FACING_POSITIONS, openPageNumberWriter } from '../headers-footers/draw-page-numbers'
import { Template } from '../text/template'
import { defineTool } from './define'

const MOST_OFFSET_PT = 14_400
const MOST_NUMBER = 9_999_999

const format = drawnTextOption(
  `How the number is written: ${Object.keys(NUMBER_FORMATS)
    .map(name => `\`${name}\``)
    .join(
      ', ',
    )}, or a template that holds \`{page}\` and may hold \`{total}\`, \`{date}\` (UTC, YYYY-MM-DD), \`{filename}\`, \`{prefix}\` and \`{suffix}\` (of \`bates\`); \`{page:roman}\` names a style, \`{{\` and \`}}\` are braces.`,
  { max: 200 },
).superRefine((value, context) => {
  const message = numberFormatProblem(value)
  if (message) context.addIssue({ code: 'custom', message })
})

const style = z
  .enum(NUMERAL_STYLES)
  .describe(
    `Numerals of page and total, for formats that do not say it themselves; \`decimal\` when omitted. ${NUMERAL_HELP}`,
  )

const startNumber = (meaning: string) => z.number().int().min(0).max(MOST_NUMBER).default(1).describe(meaning)

const bates = z.strictObject({
  prefix: drawnTextOption('Before the number.', { max: 60 }).default(''),
  suffix: drawnTextOption('Behind the number.', { max: 60 }).default(''),
  digits: z
    .number()
    .int()
    .min(1)
    .max(12)
    .default(6)
    .describe('Digits of every number, with zeros in front; a number that has more is refused.'),
  start: z
    .number()
    .int()
    .min(0)
    .max(999_999_999_999)
    .optional()
    .describe('Number of the first page; `startNumber` when omitted.'),
})

const section = z.strictObject({
  pages: pagesOption('Pages of the section.'),
  format: format.optional(),
  style: style.optional(),
  startNumber: startNumber('Number of the section’s first page.'),
})

export const pageNumbers = defineTool({
  id: 'page-numbers',
  title: 'Number pages',
  summary:
    'Writes numbers on pages, upright as the page is seen: plain, with their total, in roman numerals or letters, ' +
    'from a template, or as Bates numbers.',
  files: 'one',
  suffix: 'numbered',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  options: z
    .strictObject({
      position: z
        .enum([...POSITIONS, ...FACING_POSITIONS, ...Object.keys(POSITION_ALIASES)])
        .default('bottom-center')
        .describe(
          'Where the number stands on the page as seen. `outer` and `inner` are at the bottom, right and left on ' +
            'odd pages of the file and the other way round on even ones, `top-outer` and `top-inner` the same at the ' +
            'top.',
        ),
      format: format
        .optional()
        .describe(
          `${format.description ?? ''} \`page-of-total\` (Page 1 of 10) when omitted, \`bates\` when \`bates\` is ` +
            'given.',
        ),
      startNumber: startNumber('Number of the first page that gets one.'),
      fontSize: z
        .number()
        .min(4)
        .max(144)
        .default(11)
        .describe('Points; where a number does not fit on a page, it is set smaller there.'),
      pages: pagesOption('Pages that get numbers, which run over them; all when omitted.').optional(),
      skipFirst: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .describe('So many of these pages, from the first one on, get no number and are not counted.'),
      total: z
        .enum(['sequence', 'document'])
        .default('sequence')
        .describe(
          'What `{total}` is: the last number of the sequence or section, or the number of pages in the document.',
        ),
      style: style.optional(),
      bates: bates
        .optional()
        .describe(
          'Bates numbers. With a template, its `{page}` has the digits. The header `X-Next-Number` of every answer ' +
            'says where the next file goes on.',
        ),
      sections: z
        .array(section)
        .min(1)
        .max(50)
        .optional()
        .describe(
          'Parts that are numbered each on their own, such as front matter in roman numerals; pages in none of ' +
            'them get no number. In place of `pages`, `skipFirst` and `startNumber`.',
        ),
      color: colorOption('Of the number.', '#000000'),
      bold: z.boolean().default(false).describe('Bold, in scripts that have it.'),
      margin: lengthOption(
        'From the edge of the page as seen to the line of the number; at most a quarter of a side where the page ' +
          'is small.',
        { min: 0, max: 1000, usual: 28 },
      ),
      offset: z
        .strictObject({
          x: lengthOption('To the right.', { min: -MOST_OFFSET_PT, max: MOST_OFFSET_PT, usual: 0 }),
          y: lengthOption('Up.', { min: -MOST_OFFSET_PT, max: MOST_OFFSET_PT, usual: 0 }),
        })
        .prefault({})
        .describe('Moves the number from its position, but not off the page; mirrored with it on facing pages.'),
      opacity: opacityOption(1),
      background: colorOption('', '#ffffff')
        .unwrap()
        .optional()
        .describe('Filled behind the number, as `color` is written; nothing when omitted.'),
      facing: z.boolean().default(false).describe('Whether left and right change places on even pages of the file.'),
      setPageLabels: z
        .boolean()
        .default(false)
        .describe('Whether readers, too, call the pages by these numbers (page labels).'),
      xfa: xfaOption,
      outputName: outputNameOption,
    })
    .superRefine((options, context) => {
      const problem = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      const { sections } = options
      const defaultFormat = options.format ?? (options.bates ? 'bates' : 'page-of-total')
      const styleProblem = numberStyleProblem(defaultFormat, options.style)
      if (styleProblem) problem(['style'], styleProblem)
      for (const [index, { format: inner, style: numerals }] of (sections ?? []).entries()) {
        const innerProblem = numberStyleProblem(inner ?? defaultFormat, numerals)
        if (innerProblem) problem(['sections', index, 'style'], innerProblem)
      }
      const formats = sections ? sections.map(one => one.format ?? defaultFormat) : [defaultFormat]
      if (options.bates && !formats.some(one => one === 'bates' || one.includes('{')))
        problem(
          ['bates'],
          `does not go with format "${defaultFormat}"; use format "bates" or a template with {prefix} and {page}`,
        )
      if (!sections) return
      for (const name of ['pages', 'skipFirst'] as const)
        if (options[name]) problem([name], 'does not go with sections; each section names its own pages')
      if (options.startNumber !== 1)
        problem(['startNumber'], 'does not go with sections; each section has a startNumber of its own')
      if (options.bates?.start !== undefined)
        problem(['bates', 'start'], 'does not go with sections; each section has a startNumber of its own')
    }),
  examples: [
    {
      title: 'Page 1 of 10, at the bottom',
      options: { position: 'bottom-center', format: 'page-of-total', startNumber: 1, fontSize: 11 },
    },
    {
      title: 'Roman numerals for the front matter',
      options: {
        sections: [
          { pages: '1-2', style: 'roman' },
          { pages: '3-', style: 'decimal' },
        ],
        format: 'page',
        position: 'outer',
        setPageLabels: true,
      },
    },
    {
      title: 'Bates numbers',
      options: { format: 'bates', bates: { prefix: 'ACME-', digits: 7, start: 1201 }, position: 'bottom-right' },
    },
  ],
  async run([input], options, context) {
    if (!input) throw new EngineError('internal', 'No file was given.')
    const { document, name } = input
    const { bates: stamp } = options
    const defaultFormat = options.format ?? (stamp ? 'bates' : 'page-of-total')
    const plan = planNumbers(document.pageCount, {
      ...options,
      format: defaultFormat,
      startNumber: stamp?.start ?? options.startNumber,
    })
    const isStamped =
      stamp !== undefined || [defaultFormat, ...(options.sections ?? []).map(one => one.format)].includes('bates')
    const digits = isStamped ? (stamp?.digits ?? 6) : 1
    if (isStamped) assertDigits(plan, digits)
    const texts = { now: context.now, filename: name, prefix: stamp?.prefix ?? '', suffix: stamp?.suffix ?? '' }
    const templates = new Map([...new Set(plan.map(page => page.template))].map(text => [text, Template.parse(text)]))
    const pen = await openPageNumberWriter(document, {
      ...options,
      kind: defaultFormat === 'bates' ? 'Bates' : 'PageNum',
    })
    for (const page of plan) {
      const template = templates.get(page.template)
      if (template) pen.draw(page.pageIndex, writeNumber(template, { ...page, digits, texts }))
    }
    if (options.setPageLabels)
      labelPages(
        document,
        plan.map(page =>
          stamp
            ? { ...page, text: `${stamp.prefix}${String(page.number).padStart(digits, '0')}${stamp.suffix}` }
            : page,
        ),
      )
    const last = plan.at(-1)
    context.header('X-Next-Number', String(last ? last.number + 1 : (stamp?.start ?? options.startNumber)))
    return { kind: 'pdf', document }
  },
})

/** Rejects numbers with more digits than the padding, because they would break the sort order. */
function assertDigits(plan: readonly NumberedPage[], digits: number): void {
  const highest = plan.reduce((most, page) => Math.max(most, page.number), 0)
  if (String(highest).length <= digits) return
  const message = `options.bates.digits: ${digits} digits do not hold the last number, ${highest}; use at least ${String(highest).length}`
  throw new EngineError('bad-options', message, { param: 'options.bates.digits' })
}
