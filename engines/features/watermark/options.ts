import * as z from 'zod'
import { alternatives } from '../../options/alternatives'
import { fileOption } from '../../options/file-input'
import type { FileInput } from '../../options/file-input'
import { POSITIONS, POSITION_ALIASES } from '../../options/placement'
import type { Position } from '../../options/placement'
import { colorOption, drawnTextOption, lengthOption, opacityOption, pagesOption } from '../../options/schemas'
import { Template } from '../../pdf/typeset'
import type { KnownPlaceholders } from '../../pdf/typeset'
import { inForm, onlyIf } from '../../options/form-hints'
import type { FieldCondition } from '../../options/form-hints'
import { checked } from '../../options/checks'

const MOST_OFFSET_PT = 14_400

const PLACEHOLDERS: KnownPlaceholders = { page: null, total: null, date: null, filename: null }

/** Positions besides the nine common ones: along a diagonal, or all over the page. */
const SPREAD = ['diagonal', 'diagonal-down', 'tile'] as const

/** Position of a mark, with aliases resolved. */
export type MarkPosition = Position | (typeof SPREAD)[number]

const text = drawnTextOption(
  'Text of the watermark, for type `text`. Placeholders: `{page}`, `{total}`, `{date}` (UTC, YYYY-MM-DD) and ' +
    '`{filename}` (without extension). Write `{{` and `}}` for braces.',
  { max: 500, hasLines: true },
)
  .superRefine(
    checked(value =>
      value.trim() === '' ? 'must not be empty. Send the text to draw.' : Template.parse(value).problem(PLACEHOLDERS),
    ),
  )
  .meta({ minLength: 1 })

const gap = (meaning: string) => lengthOption(meaning, { min: 0, max: 1000, usual: 80 })
const move = (meaning: string) => lengthOption(meaning, { min: -MOST_OFFSET_PT, max: MOST_OFFSET_PT, usual: 0 })

/** When the fields of text apply. A mark without a type is text unless it has an image or a PDF. */
const TEXT_ONLY: FieldCondition[] = [{ type: ['text'] }, { type: 'unset', image: 'unset', stamp: 'unset' }]

const fields = {
  type: z
    .enum(['text', 'image', 'pdf'])
    .optional()
    .describe('Type of the watermark. Default: `image` or `pdf` if you send `image` or `stamp`, otherwise `text`.')
    .meta(inForm({ choices: { text: 'Text', image: 'Image', pdf: 'Page of a PDF' } })),
  text: text.optional().meta(onlyIf(...TEXT_ONLY)),
  image: fileOption('Image for type `image`: a PNG or JPEG file.')
    .optional()
    .meta(onlyIf({ type: ['image'] }, { type: 'unset', image: 'set' })),
  stamp: fileOption(
    'PDF for type `pdf`. Sheaf draws the content of one of its pages, without annotations and form fields.',
  )
    .optional()
    .meta(inForm({ label: 'PDF', appliesIf: [{ type: ['pdf'] }, { type: 'unset', stamp: 'set' }] })),
  stampPage: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('Page of `stamp` to draw. Default: 1.')
    .meta(inForm({ label: 'Page of the PDF', appliesIf: [{ type: ['pdf'] }, { type: 'unset', stamp: 'set' }] })),
  position: z
    .enum([...SPREAD, ...POSITIONS, ...Object.keys(POSITION_ALIASES)])
    .optional()
    .describe(
      'Position on the page as displayed. `diagonal` runs from the lower left to the upper right, at the ' +
        "angle of the page's diagonal. `diagonal-down` starts at the upper left. `tile` repeats the watermark " +
        'in staggered rows. Default: `diagonal`, or `center` for images and PDFs.',
    )
    .meta(inForm({ aliases: Object.keys(POSITION_ALIASES) })),
  opacity: opacityOption(0.25),
  fontSize: z
    .number()
    .min(4)
    .max(500)
    .optional()
    .describe(
      "Font size in points. If the text doesn't fit on the page, Sheaf makes it smaller (warning " +
        '`watermark-shrunk`). Default: text at `center` and diagonal text fill 70% of the page along the line of ' +
        'text. Text at other positions fills 30%.',
    )
    .meta(onlyIf(...TEXT_ONLY)),
  rotation: z
    .number()
    .min(-360)
    .max(360)
    .optional()
    .describe(
      'Rotation in degrees counterclockwise. Default: 0. Not allowed with diagonal positions, because they follow ' +
        "the page's diagonal. With `tile`, Sheaf rotates the rows together with the tiles.",
    )
    .meta(
      onlyIf(
        { position: ['tile', ...POSITIONS, ...Object.keys(POSITION_ALIASES)] },
        { position: 'unset', type: ['image', 'pdf'] },
      ),
    ),
  color: colorOption('Color of the text.', '#808080').meta(onlyIf(...TEXT_ONLY)),
  bold: z
    .boolean()
    .default(false)
    .describe('If `true`, uses bold type in scripts that have it.')
    .meta(onlyIf(...TEXT_ONLY)),
  outline: z
    .boolean()
    .default(false)
    .describe('If `true`, draws only the outlines of letters.')
    .meta(inForm({ label: 'Outlines only', appliesIf: TEXT_ONLY })),
  layer: z
    .enum(['over', 'under'])
    .default('over')
    .describe(
      'Position over or under the page content. Scans and page backgrounds hide a watermark that is under them ' +
        '(warning `watermark-hidden`).',
    )
    .meta(inForm({ choices: { over: 'Over the page', under: 'Under the page' } })),
  scale: z
    .number()
    .min(0.01)
    .max(10)
    .default(0.5)
    .describe(
      'Width of an image or PDF as a fraction of the page width. If `scale` is at most 1, Sheaf shrinks a ' +
        'watermark that is taller than the page (warning `watermark-shrunk`). Above 1, the watermark can extend ' +
        'beyond the page.',
    )
    .meta(
      inForm({
        label: 'Width as a fraction of the page',
        appliesIf: [{ type: ['image', 'pdf'] }, { type: 'unset', image: 'set' }, { type: 'unset', stamp: 'set' }],
      }),
    ),
  spacing: z
    .strictObject({
      x: gap('Space between neighbors in a row.').meta(inForm({ label: 'In a row' })),
      y: gap('Space between rows.').meta(inForm({ label: 'Between rows' })),
    })
    .prefault({})
    .describe('Space between tiles.')
    .meta(inForm({ label: 'Space between tiles', appliesIf: [{ position: ['tile'] }] })),
  pages: pagesOption('Pages that get the watermark. Default: all.').optional(),
  offset: z
    .strictObject({
      x: move('Distance to the right.').meta(inForm({ label: 'To the right' })),
      y: move('Distance upwards.').meta(inForm({ label: 'Up' })),
    })
    .prefault({})
    .describe('Moves the watermark from its position.')
    .meta(inForm({ label: 'Shift' })),
  margin: lengthOption(
    'Distance from the edges of the page as displayed. On small pages, the margin is at most a quarter of the ' +
      'shorter side.',
    { min: 0, max: 1000, usual: 28 },
  ).meta(inForm({ label: 'Distance from the edges' })),
  visibility: z
    .enum(['always', 'print', 'screen'])
    .default('always')
    .describe(
      'When the watermark is visible: `always`, only in `print`, or only on `screen`. `print` and `screen` use a ' +
        'PDF layer. They only work in viewers that support PDF layers.',
    )
    .meta(
      inForm({ label: 'Visible', choices: { always: 'Always', print: 'Only in print', screen: 'Only on screen' } }),
    ),
}

type WithoutDefault<Field> = Field extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner>
  ? z.ZodOptional<Inner>
  : Field

/** Returns the same fields without their defaults. */
function withoutDefaults<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
): { [Name in keyof Shape]: WithoutDefault<Shape[Name]> } {
  const plain = (field: z.ZodType) =>
    field instanceof z.ZodDefault || field instanceof z.ZodPrefault
      ? (field.unwrap() as z.ZodType).optional().meta(field.meta() ?? {})
      : field
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, plain(field)])) as {
    [Name in keyof Shape]: WithoutDefault<Shape[Name]>
  } // The mapping preserves the type of each entry.
}

/** Options of one watermark, and of up to ten marks that inherit missing fields from these options. */
export const markOptions = z
  .strictObject({
    ...fields,
    marks: z
      .array(z.strictObject(withoutDefaults(fields)))
      .min(1)
      .max(10)
      .optional()
      .describe(
        'Several watermarks in one request, drawn in this order. Each mark has the fields above. If a mark omits ' +
          'a field, Sheaf uses the field of the same name outside `marks`. `spacing` and `offset` of a mark replace ' +
          'the whole object.',
      )
      .meta(inForm({ label: 'Several watermarks' })),
  })
  .superRefine((options, context) => {
    for (const mark of listMarks(options))
      for (const { path, message } of findProblems(mark)) context.addIssue({ code: 'custom', path, message })
  })

/** The contents that a watermark may have. */
export const MARK_ALTERNATIVES = alternatives(
  { required: ['text'], values: { type: ['text'] }, without: ['image', 'stamp', 'stampPage', 'marks'] },
  { required: ['image'], values: { type: ['image'] }, without: ['text', 'stamp', 'stampPage', 'fontSize', 'marks'] },
  { required: ['stamp'], values: { type: ['pdf'] }, without: ['text', 'image', 'fontSize', 'marks'] },
  { required: ['marks'] },
)

type Options = z.output<typeof markOptions>
type Fields = Omit<Options, 'marks' | 'type' | 'position'>
type Type = 'text' | 'image' | 'pdf'

/** A watermark to draw. */
export type Mark = Fields & {
  type: Type
  position: MarkPosition
  /** Parameter path of its fields for errors: `options` or `options.marks[2]`. */
  param: string
}

interface ListedMark extends Mark {
  path: (string | number)[]
  /** Fields that were specified for this mark. */
  own: Partial<Fields>
}

/** Returns the watermarks of the options, in drawing order. */
export function readMarks(options: Options): Mark[] {
  return listMarks(options)
}

function listMarks({ marks, ...sharedOptions }: Options): ListedMark[] {
  if (!marks) return [readMark(sharedOptions, sharedOptions, [])]
  return marks.map((markFields, index) => readMark(sharedOptions, markFields, ['marks', index]))
}

function readMark(
  sharedOptions: Omit<Options, 'marks'>,
  markFields: Partial<Omit<Options, 'marks'>>,
  path: (string | number)[],
): ListedMark {
  // Without undefined values.
  const specifiedFields = Object.fromEntries(
    Object.entries(markFields).filter(([, value]) => value !== undefined),
  ) as typeof markFields
  const mark = { ...sharedOptions, ...specifiedFields }
  const type = markFields.type ?? typeOf(markFields) ?? mark.type ?? typeOf(sharedOptions) ?? 'text'
  const position = mark.position ?? (type === 'text' ? 'diagonal' : 'center')
  const param = path.length ? `options.marks[${path[1]}]` : 'options'
  // The schema accepts no other names.
  return {
    ...mark,
    type,
    position: (POSITION_ALIASES[position] ?? position) as MarkPosition,
    param,
    path,
    own: specifiedFields,
  }
}

function typeOf({
  text: words,
  image,
  stamp,
}: {
  text?: string | undefined
  image?: FileInput | undefined
  stamp?: FileInput | undefined
}): Type | undefined {
  if (image) return 'image'
  if (stamp) return 'pdf'
  return words === undefined ? undefined : 'text'
}

const CONTENT = { text: 'text', image: 'image', pdf: 'stamp' } as const

/** Fields that apply to only one type, and their alternative. */
const ONLY_FOR: readonly {
  name: 'text' | 'image' | 'stamp' | 'stampPage' | 'fontSize'
  type: Type
  instead?: string
}[] = [
  { name: 'text', type: 'text' },
  { name: 'image', type: 'image' },
  { name: 'stamp', type: 'pdf' },
  { name: 'stampPage', type: 'pdf' },
  { name: 'fontSize', type: 'text', instead: 'Use scale.' },
]

function findProblems(mark: ListedMark): { path: (string | number)[]; message: string }[] {
  const { type, path, own, position } = mark
  const problems: { path: (string | number)[]; message: string }[] = []
  const content = CONTENT[type]
  if (mark[content] === undefined)
    problems.push({ path: [...path, content], message: `is required for type "${type}".` })
  for (const { name, type: only, instead = `It only applies to type "${only}".` } of ONLY_FOR) {
    if (only !== type && own[name] !== undefined)
      problems.push({ path: [...path, name], message: `doesn't apply to type "${type}". ${instead}` })
  }
  if (mark.rotation !== undefined && (position === 'diagonal' || position === 'diagonal-down')) {
    problems.push({
      path: [...(own.rotation === undefined ? [] : path), 'rotation'],
      message:
        `can't be combined with position "${position}", which follows the diagonal of the page. Remove it or use ` +
        'another position, such as "center".',
    })
  }
  return problems
}
