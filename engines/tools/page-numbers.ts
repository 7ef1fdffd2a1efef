import * as z from 'zod'
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
import { labelPages } from '../features/headers-footers/page-number-labels'
import {
  NUMBER_FORMATS,
  numberFormatProblem,
  numberStyleProblem,
  writeNumber,
} from '../features/headers-footers/number-format'
import { planNumbers } from '../features/headers-footers/plan-page-numbers'
import type { NumberedPage } from '../features/headers-footers/plan-page-numbers'
import { FACING_POSITIONS, openPageNumberWriter } from '../features/headers-footers/draw-page-numbers'
import { Template } from '../pdf/typeset'
import { defineTool } from './define'
import { inForm, onlyIf } from '../options/form-hints'
import { blameIn, checked } from '../options/checks'

const MOST_OFFSET_PT = 14_400
const MOST_NUMBER = 9_999_999

const format = drawnTextOption(
  `Format of the number: ${Object.keys(NUMBER_FORMATS)
    .map(name => `\`${name}\``)
    .join(', ')}, or a ` +
    'template. `page` prints `1`, `page-label` prints `Page 1`, `slash` prints `1/10`, and `dash` prints `- 1 -`. A ' +
    'template must contain `{page}`. It can also contain `{total}`, `{date}` (UTC, YYYY-MM-DD), `{filename}` ' +
    '(without extension), and `{prefix}` and `{suffix}` of `bates`. Write `{page:roman}` to choose a style. Write ' +
    '`{{` and `}}` for braces.',
  { max: 200 },
)
  .superRefine(checked(numberFormatProblem))
  .meta(
    inForm({
      choices: {
        'page-of-total': 'Page 1 of 10',
        page: '1',
        'page-label': 'Page 1',
        slash: '1/10',
        dash: '- 1 -',
        roman: 'i, ii, iii',
        ROMAN: 'I, II, III',
        alpha: 'a, b, c',
        ALPHA: 'A, B, C',
        bates: 'Bates number',
      },
      otherText: 'Template',
    }),
  )

const style = z
  .enum(NUMERAL_STYLES)
  .describe(
    `Numerals of \`{page}\` and \`{total}\`, for formats without their own style. Default: \`decimal\`. ${NUMERAL_HELP}`,
  )
  .meta(
    inForm({
      label: 'Numerals',
      choices: { decimal: '1, 2, 3', roman: 'i, ii, iii', ROMAN: 'I, II, III', alpha: 'a, b, c', ALPHA: 'A, B, C' },
    }),
  )

const startNumber = (meaning: string) => z.number().int().min(0).max(MOST_NUMBER).default(1).describe(meaning)

const bates = z.strictObject({
  prefix: drawnTextOption('Text before the number.', { max: 60 }).default(''),
  suffix: drawnTextOption('Text after the number.', { max: 60 }).default(''),
  digits: z
    .number()
    .int()
    .min(1)
    .max(12)
    .default(6)
    .describe(
      'Digits of every number, padded with zeros. If a number needs more digits, the request returns an error.',
    ),
  start: z
    .number()
    .int()
    .min(0)
    .max(999_999_999_999)
    .optional()
    .describe('Number to print on the first page. Default: `startNumber`.')
    .meta(inForm({ label: 'First number' })),
})

const section = z.strictObject({
  pages: pagesOption('Pages of the section.'),
  format: format.optional(),
  style: style.optional(),
  startNumber: startNumber('Number to print on the first page of the section.').meta(inForm({ label: 'First number' })),
})

export const pageNumbers = defineTool({
  id: 'page-numbers',
  title: 'Number pages',
  summary:
    'Adds page numbers, plain or with the total, as Roman numerals or letters, from a template, or as Bates ' +
    'numbers.',
  files: 'one',
  suffix: 'numbered',
  group: 'Mark',
  tagline: 'Plain, Roman, or as Bates numbers.',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  step: { result: () => 'pdf' },
  options: z
    .strictObject({
      position: z
        .enum([...POSITIONS, ...FACING_POSITIONS, ...Object.keys(POSITION_ALIASES)])
        .default('bottom-center')
        .describe(
          'Position of the number on the page as displayed. `outer` and `inner` are at the bottom. `outer` is on ' +
            'the right of odd pages and on the left of even pages of the file. `inner` is on the opposite side. ' +
            '`top-outer` and `top-inner` work the same way at the top.',
        )
        .meta(
          inForm({
            choices: {
              'bottom-outer': 'Bottom, outer side',
              'bottom-inner': 'Bottom, inner side',
              'top-outer': 'Top, outer side',
              'top-inner': 'Top, inner side',
            },
            aliases: ['outer', 'inner', ...Object.keys(POSITION_ALIASES)],
          }),
        ),
      format: format
        .optional()
        .describe(
          `${format.description ?? ''} Default: \`page-of-total\` (Page 1 of 10), or \`bates\` if \`bates\` ` +
            'is set.',
        ),
      startNumber: startNumber('Number to print on the first numbered page.').meta(
        inForm({ label: 'First number', appliesIf: [{ sections: 'unset' }] }),
      ),
      fontSize: z
        .number()
        .min(4)
        .max(144)
        .default(11)
        .describe("Font size in points. If a number doesn't fit on a page, Sheaf makes it smaller on that page."),
      pages: pagesOption('Pages that get numbers. Sheaf counts only these pages. Default: all.')
        .optional()
        .meta(onlyIf({ sections: 'unset' })),
      skipFirst: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .describe("Number of selected pages to skip at the start. Sheaf doesn't number or count them.")
        .meta(inForm({ label: 'Pages to skip at the start', appliesIf: [{ sections: 'unset' }] })),
      total: z
        .enum(['sequence', 'document'])
        .default('sequence')
        .describe(
          'Value of `{total}`. `sequence`: the last number of the sequence or section. `document`: the number of ' +
            'pages in the document.',
        )
        .meta(inForm({ label: 'Total', choices: { sequence: 'Numbered pages', document: 'All pages' } })),
      style: style.optional().meta(onlyIf({ format: { not: ['roman', 'ROMAN', 'alpha', 'ALPHA'] } })),
      bates: bates
        .optional()
        .describe(
          'Bates numbers. In a template, `{page}` has as many digits as `digits` says. The response header ' +
            '`X-Next-Number` has the first number for the next file.',
        )
        .meta(
          inForm({
            label: 'Bates numbers',
            appliesIf: [
              { format: { not: Object.keys(NUMBER_FORMATS).filter(name => name !== 'bates') } },
              { sections: 'set' },
            ],
          }),
        ),
      sections: z
        .array(section)
        .min(1)
        .max(50)
        .optional()
        .describe(
          'Parts with their own numbers, such as front matter with Roman numerals. Other pages get no number. ' +
            'Send `sections` in place of `pages`, `skipFirst` and `startNumber`.',
        ),
      color: colorOption('Color of the number.', '#000000'),
      bold: z.boolean().default(false).describe('If `true`, uses bold type in scripts that have it.'),
      margin: lengthOption(
        'Distance of the number from the edge of the page as displayed. On small pages, the margin is at most a ' +
          'quarter of the side.',
        { min: 0, max: 1000, usual: 28 },
      ).meta(inForm({ label: 'Distance from the edge' })),
      offset: z
        .strictObject({
          x: lengthOption('Distance to the right.', { min: -MOST_OFFSET_PT, max: MOST_OFFSET_PT, usual: 0 }).meta(
            inForm({ label: 'To the right' }),
          ),
          y: lengthOption('Distance upwards.', { min: -MOST_OFFSET_PT, max: MOST_OFFSET_PT, usual: 0 }).meta(
            inForm({ label: 'Up' }),
          ),
        })
        .prefault({})
        .describe(
          'Moves the number from its position, but not off the page. If the position changes sides on even pages, ' +
            'the horizontal direction changes too.',
        )
        .meta(inForm({ label: 'Shift' })),
      opacity: opacityOption(1),
      background: colorOption('', '#ffffff')
        .unwrap()
        .optional()
        .describe('Color behind the number, in the format of `color`. Default: none.')
        .meta(inForm({ label: 'Background color' })),
      facing: z
        .boolean()
        .default(false)
        .describe('If `true`, swaps left and right on even pages of the file.')
        .meta(inForm({ label: 'Swap sides on even pages' })),
      setPageLabels: z
        .boolean()
        .default(false)
        .describe('If `true`, also sets the numbers as page labels, which viewers show.')
        .meta(inForm({ label: 'Also set page labels' })),
      xfa: xfaOption,
      outputName: outputNameOption('report-numbered.pdf'),
    })
    .superRefine((options, context) => {
      const blame = blameIn(context)
      const { sections } = options
      const defaultFormat = options.format ?? (options.bates ? 'bates' : 'page-of-total')
      const styleProblem = numberStyleProblem(defaultFormat, options.style)
      if (styleProblem) blame('style', styleProblem)
      for (const [index, { format: inner, style: numerals }] of (sections ?? []).entries()) {
        const innerProblem = numberStyleProblem(inner ?? defaultFormat, numerals)
        if (innerProblem) blame(['sections', index, 'style'], innerProblem)
      }
      const formats = sections ? sections.map(one => one.format ?? defaultFormat) : [defaultFormat]
      if (options.bates && !formats.some(one => one === 'bates' || one.includes('{')))
        blame(
          'bates',
          `doesn't apply to format "${defaultFormat}". Use format "bates" or a template with {prefix} and {page}.`,
        )
      if (!sections) return
      for (const name of ['pages', 'skipFirst'] as const)
        if (options[name]) blame(name, "can't be combined with sections. Each section has its own pages.")
      if (options.startNumber !== 1)
        blame('startNumber', "can't be combined with sections. Each section has its own startNumber.")
      if (options.bates?.start !== undefined)
        blame(['bates', 'start'], "can't be combined with sections. Each section has its own startNumber.")
    }),
  examples: [
    {
      title: 'Page 1 of 5, at the bottom',
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
      outline: context.outline,
    })
    for (const page of plan) {
      if (context.outline && page.pageIndex !== context.outline.pageIndex) continue
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
  const message =
    `options.bates.digits: must be at least ${String(highest).length}, because the last number is ${highest}. ` +
    `Got ${digits}.`
  throw new EngineError('options_invalid', message, { param: 'options.bates.digits' })
}
