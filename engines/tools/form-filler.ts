import * as z from 'zod'
import { boundedRecord, boundedText } from '../options/bounded-text'
import { EngineError } from '../errors'
import {
  adoptFields,
  describeFields,
  drawMissingAppearances,
  dropXfa,
  fillForm,
  FillPlanner,
  hasXfa,
  isFillable,
} from '../pdf/forms'
import type { FillPlan } from '../pdf/forms'
import type { PdfDocument } from '../pdf/document'
import { flatten } from '../pdf/annotations'
import { appendDocuments } from '../pdf/page'
import { forkDocument, openDocument } from '../pdf/open'
import { saveDocument } from '../pdf/save'
import type { WrittenFile } from '../pdf/save'
import { openTypesetter } from '../pdf/typeset'
import { alternatives } from '../options/alternatives'
import { drawnTextOption, outputNameOption } from '../options/schemas'
import { defineTool, toJson } from './define'
import { FORM_FIELDS } from './reports'
import type { ToolContext, ToolInput, ToolOutput } from './define'
import { partName } from '../file-name'
import { inForm } from '../options/form-hints'
import { blameIn } from '../options/checks'

const NAME_TEMPLATE = '{name}-{index}'

/** Maximum number of values in `fields`, and in each record. */
const MAX_FIELDS = 5000
/** Maximum number of values in all records together. */
const MAX_VALUES = 20_000

const text = drawnTextOption('A value.', { max: 20_000, hasLines: true })
const valueSchema = z.union([text, z.number(), z.boolean(), z.null(), z.array(z.union([text, z.number()])).max(1000)])

/**
 * Field names and values. A field may have the name `__proto__`, which zod drops from records, so the name is
 * temporarily replaced.
 */
function fieldsOption(meaning: string) {
  return z
    .preprocess(
      input => renameKeys(input, key => key.replace(/^\0*__proto__$/, '\0$&')),
      boundedRecord(boundedText(1000).min(1), valueSchema, MAX_FIELDS),
    )
    .transform(values => renameKeys(values, key => key.replace(/^\0(?=\0*__proto__$)/, '')))
    .describe(meaning)
}

/** Copies an object with renamed keys. Returns other values unchanged. */
function renameKeys<Value>(value: Value, rename: (key: string) => string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(value).length > MAX_FIELDS) return value // The next check refuses it.
  // The values keep their type. `fromEntries` also sets keys that an assignment would not create.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), item])) as Value
}

/** Counts the values of all records before any of them is checked. */
function checkSize(records: unknown, context: z.RefinementCtx): unknown {
  if (!Array.isArray(records)) return records
  const sizes = records.map(record => (typeof record === 'object' && record !== null ? Object.keys(record).length : 0))
  const count = sizes.reduce((sum, size) => sum + size, 0)
  if (count <= MAX_VALUES) return records
  context.addIssue({
    code: 'custom',
    message:
      `must have at most ${MAX_VALUES.toLocaleString('en')} values together. Got ${count.toLocaleString('en')}. ` +
      'Send the records in several requests.',
  })
  return z.NEVER
}

const optionsSchema = z
  .strictObject({
    fields: fieldsOption(
      'Values by field name. Use the full field name, or its last part if that is unique. Text fields take a ' +
        'string or a number. Check boxes take `true`, `false` or their export value. Radio buttons take an export ' +
        'value, a label, `"#2"` for the second button, or `false` for none. If several buttons have a label, use the ' +
        'position. Dropdowns and lists take an export ' +
        "value or a label, and lists also an array. `null` clears a field. Sheaf doesn't run calculation scripts of " +
        'the form, so send calculated values too.',
    )
      .optional()
      .meta(inForm({ label: 'Values', appliesIf: [{ listOnly: [false] }] })),
    flatten: z
      .boolean()
      .default(false)
      .describe('If `true`, draws all fields into the pages and removes the form.')
      .meta(inForm({ label: 'Flatten', appliesIf: [{ listOnly: [false] }] })),
    onUnknown: z
      .enum(['error', 'ignore'])
      .default('error')
      .describe(
        'What to do with unknown field names. `error` returns an error that lists them. `ignore` skips them, and ' +
          'the response has the warning `unknown-field`.',
      )
      .meta(
        inForm({
          label: 'Unknown field names',
          choices: { error: 'Return an error', ignore: 'Ignore' },
          appliesIf: [{ listOnly: [false] }],
        }),
      ),
    readOnly: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, you can also fill fields that are read-only in the form. If `false`, a value for such a field ' +
          'returns an error.',
      )
      .meta(inForm({ label: 'Fill read-only fields', appliesIf: [{ listOnly: [false] }] })),
    fontSize: z
      .union([
        z.enum(['keep', 'auto']).meta(inForm({ choices: { keep: 'As in the form', auto: 'Fit to the field' } })),
        z
          .number()
          .min(2)
          .max(300)
          .meta(inForm({ title: 'Points' })),
      ])
      .default('keep')
      .describe(
        'Size of filled text. `keep` uses the size that the form sets. `auto` fits the text to the field. You can ' +
          "also send a number of points. Text that doesn't fit into its field is cut off (warning `text-cut`).",
      )
      .meta(inForm({ appliesIf: [{ listOnly: [false] }] })),
    lock: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, makes all fields read-only, but keeps the form. You can combine it with `fields` or ' +
          '`records`. Signature fields can still be signed.',
      )
      .meta(inForm({ label: 'Lock all fields', appliesIf: [{ listOnly: [false], flatten: [false] }] })),
    clearOthers: z
      .boolean()
      .default(false)
      .describe('If `true`, clears all text fields, choices, check boxes and radio buttons that you send no value for.')
      .meta(inForm({ label: 'Clear all other fields', appliesIf: [{ listOnly: [false] }] })),
    records: z
      .preprocess(checkSize, z.array(fieldsOption('Values of one record, in the format of `fields`.')).min(1).max(200))
      .optional()
      .describe(
        'Mail merge: fills the form once for each record. If a record omits a field, Sheaf uses the value in ' +
          '`fields`. All records together can have 20,000 values.',
      )
      .meta(inForm({ appliesIf: [{ listOnly: [false] }] })),
    output: z
      .enum(['zip', 'pdf'])
      .default('zip')
      .describe(
        'With `records`: `zip` returns a ZIP with one PDF per record. `pdf` returns one PDF with all records, and ' +
          'adds numbers to repeated field names.',
      )
      .meta(
        inForm({
          label: 'Response',
          choices: { zip: 'ZIP with one PDF per record', pdf: 'One PDF' },
          appliesIf: [{ records: 'set' }],
        }),
      ),
    nameTemplate: boundedText(200)
      .min(1)
      .default(NAME_TEMPLATE)
      .describe(
        'With `records`: file names in the ZIP. `{name}` is the name of the input, and `{index}` is the number of ' +
          'the record from 1. You can also write any field name in braces, to insert its value.',
      )
      .meta(inForm({ label: 'File name template', appliesIf: [{ records: 'set', output: ['zip'] }] })),
    xfa: z
      .enum(['drop', 'error'])
      .default('drop')
      .describe(
        'Forms that have both XFA and AcroForm fields: `drop` removes the XFA data, with the warning ' +
          '`xfa-dropped`. `error` returns an error. Forms with only XFA always return an error.',
      )
      .meta(inForm({ label: 'XFA form', choices: { drop: 'Remove', error: 'Return an error' } })),
    listOnly: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, changes nothing and returns JSON: each field with its name, type, value, options, page ' +
          '(from 1) and position. Positions are in points from the lower-left corner of the page as displayed.',
      )
      .meta(inForm({ label: 'Only list the fields' })),
    outputName: outputNameOption('report-filled.pdf'),
  })
  .superRefine((options, context) => {
    const blame = blameIn(context)
    const { fields, records, listOnly, clearOthers, lock, flatten: flattens } = options
    if (!fields && !records && !listOnly && !clearOthers && !lock && !flattens)
      blame(
        'fields',
        'is required. Send values by field name, such as {"fullName": "Ada"}, or set listOnly to true to list ' +
          'the names.',
      )
    if (listOnly && (fields || records))
      blame('listOnly', `fills no fields. Remove ${fields ? 'fields' : 'records'} or set listOnly to false.`)
    if (lock && flattens)
      blame('lock', "can't be combined with flatten, which removes all fields. Set only one of them.")
    if (options.output !== 'zip' && !records) blame('output', 'only applies to records. Remove it.')
    if (options.nameTemplate !== NAME_TEMPLATE && (!records || options.output === 'pdf'))
      blame('nameTemplate', 'only applies to records in a ZIP. Remove it.')
  })
  .meta(
    alternatives(
      { required: ['fields'], values: { listOnly: [false] } },
      { required: ['records'], values: { listOnly: [false] } },
      { required: ['clearOthers'], values: { clearOthers: [true], listOnly: [false] } },
      { required: ['lock'], values: { lock: [true], flatten: [false], listOnly: [false] } },
      { required: ['flatten'], values: { flatten: [true], lock: [false], listOnly: [false] } },
      { required: ['listOnly'], values: { listOnly: [true] }, without: ['fields', 'records'] },
    ),
  )

type Options = z.output<typeof optionsSchema>

export const formFiller = defineTool({
  id: 'form-filler',
  title: 'Fill a form',
  summary:
    'Fills text fields, check boxes, radio buttons, dropdowns and lists, in any script. Draws the values so ' +
    'that every viewer shows them. You can flatten the form, or fill it once for each of many records.',
  files: 'one',
  suffix: 'filled',
  group: 'Forms',
  command: 'fill',
  tagline: 'Text, check boxes and lists.',
  responses: 'application/pdf',
  otherResponses: [
    { contentType: 'application/zip', when: 'you send `records`', what: 'one PDF per record' },
    { contentType: 'application/json', when: { listOnly: true }, what: 'the list of fields' },
  ],
  report: FORM_FIELDS,
  warnings: ['tags-dropped', 'characters-missing', 'field-font-replaced', 'text-cut'],
  step: { result: ({ listOnly, records }) => (listOnly ? 'other' : records ? 'pdfs' : 'pdf') },
  options: optionsSchema,
  examples: [
    { title: 'Fill a form', options: { fields: { fullName: 'Żaneta Nowak', country: 'Poland', agree: true } } },
    { title: 'Fill and flatten', options: { fields: { fullName: '山田太郎', transport: '#2' }, flatten: true } },
    { title: 'List the fields with their names and options', options: { listOnly: true } },
    {
      title: 'Create one letter per customer',
      options: {
        fields: { agree: true },
        records: [{ fullName: 'Ada Lovelace' }, { fullName: 'Мария Кюри' }],
        nameTemplate: '{index}-{fullName}',
      },
    },
  ],
  async run([input], options, context): Promise<ToolOutput> {
    adoptFields(input.document)
    if (options.listOnly) return listFields(input.document)
    const { plans, hasUnknown } = await makePlans(input.document, options)
    if (hasUnknown) context.warn('unknown-field')
    const { records } = options
    if (records) return fillRecords(input, plans, { ...options, records }, context)
    await fillOne(input.document, plans[0] ?? new Map(), options)
    return { kind: 'pdf', document: input.document }
  },
})

function listFields(document: PdfDocument): ToolOutput {
  const fields = describeFields(document)
  const list = { count: fields.length, hasXfa: hasXfa(document), fields }
  return toJson(list)
}

/** Creates a plan for each record, or a single plan. Throws all problems of all plans. */
async function makePlans(document: PdfDocument, options: Options): Promise<{ plans: FillPlan[]; hasUnknown: boolean }> {
  const { fields, records, nameTemplate, onUnknown, readOnly, xfa } = options
  const planner = new FillPlanner(document, await openTypesetter(), {
    ignoresUnknown: onUnknown === 'ignore',
    fillsReadOnly: readOnly,
  })
  if (hasXfa(document) && !planner.fields.some(field => isFillable(document, field)))
    throw problem(
      undefined,
      "This form has only XFA fields, which aren't supported. Save it with AcroForm fields first.",
    )
  if (planner.fields.length === 0)
    throw problem(undefined, 'This document has no form fields. Send a document with a form.')
  if (xfa === 'error' && hasXfa(document))
    throw problem('options.xfa', 'is "error", and this form has XFA data. Use "drop" to remove the XFA data.')
  const common = { values: valuesOf(fields), param: 'options.fields' }
  const plans = records
    ? records.map((record, index) =>
        planner.plan([common, { values: valuesOf(record), param: `options.records[${index}]` }]),
      )
    : [planner.plan([common])]
  planner.assertSound()
  const isKnown = (name: string): boolean => name === 'name' || name === 'index' || planner.has(name)
  const unknown = [...nameTemplate.matchAll(PLACEHOLDER)].find(([, name = '']) => !isKnown(name))
  if (unknown)
    throw problem(
      'options.nameTemplate',
      `has the unknown placeholder ${unknown[0]}. Use {name}, {index} or the name of a field of this form.`,
    )
  return { plans, hasUnknown: planner.hasUnknown }
}

const PLACEHOLDER = /\{([^{}]*)\}/g

function valuesOf(fields: Options['fields']): ReadonlyMap<string, Value> {
  return new Map(Object.entries(fields ?? {}))
}

type Value = z.output<typeof valueSchema>

async function fillOne(
  document: PdfDocument,
  plan: FillPlan,
  { fontSize, clearOthers, readOnly, lock, flatten: flattens }: Options,
): Promise<void> {
  dropXfa(document)
  await fillForm(document, plan, {
    sizePt: fontSize === 'auto' ? 0 : fontSize,
    clearsOthers: clearOthers,
    fillsReadOnly: readOnly,
    locks: lock,
  })
  if (!flattens) return
  await drawMissingAppearances(document)
  flatten(document, { forms: true, annotations: false, links: false, view: 'screen', keep: new Set() })
}

async function fillRecords(
  { name, document }: ToolInput,
  plans: readonly FillPlan[],
  options: Options & { records: NonNullable<Options['records']> },
  context: ToolContext,
): Promise<ToolOutput> {
  const { maxPagesOut } = context.limits
  const total = document.pageCount * plans.length
  if (total > maxPagesOut)
    throw problem(
      'options.records',
      `the result must have at most ${maxPagesOut.toLocaleString('en')} pages. Got ` +
        `${total.toLocaleString('en')} (${plans.length} records of ${document.pageCount} pages).`,
    )
  const files: WrittenFile[] = []
  for (const plan of plans) {
    const copy = forkDocument(document)
    adoptFields(copy)
    await fillOne(copy, plan, options)
    files.push(saveDocument(copy))
    for (const warning of copy.warnings) context.warn(warning)
  }
  if (options.output === 'pdf') {
    const [first, ...others] = files.map(file =>
      openDocument(file.join(), { ...context.limits, maxPagesIn: maxPagesOut }),
    )
    if (!first) throw new RangeError('no records') // The schema requires at least one record.
    appendDocuments(first, others, 'rename')
    return { kind: 'pdf', document: first }
  }
  const pages = Array.from({ length: document.pageCount }, (_, index) => index + 1)
  return {
    kind: 'zip',
    parts: files.map(({ chunks }, index) => ({ name: partName(writeName(name, index, options)), pages, chunks })),
  }
}

function writeName(
  name: string,
  index: number,
  { nameTemplate, fields, records }: Options & { records: NonNullable<Options['records']> },
): string {
  const values = new Map([...valuesOf(fields), ...valuesOf(records[index])])
  const number = String(index + 1).padStart(String(records.length).length, '0')
  return nameTemplate.replace(PLACEHOLDER, (_, word: string) =>
    word === 'name' ? name : word === 'index' ? number : String(values.get(word) ?? ''),
  )
}

function problem(param: string | undefined, message: string): EngineError {
  return param === undefined
    ? new EngineError('options_invalid', message)
    : new EngineError('options_invalid', `${param}: ${message}`, { param })
}
