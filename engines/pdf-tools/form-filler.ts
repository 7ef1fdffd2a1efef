import { z } from 'zod'
import { EngineError } from '../errors'
import { adoptFields } from '../forms/adopt-fields'
import { describeFields } from '../forms/describe-fields'
import { fillForm } from '../forms/fill-form'
import { FillPlanner } from '../forms/fill-plan'
import type { FillPlan } from '../forms/fill-plan'
import { isFillable } from '../forms/widget-box'
import { drawMissingAppearances } from '../forms/missing-appearances'
import type { PdfDocument } from '../pdf-core/document/document'
import { flatten } from '../pdf-core/annotations/flatten'
import { appendDocuments } from '../pdf-core/merge/merge'
import { forkDocument, openDocument } from '../pdf-core/pages/open'
import { saveDocument } from '../pdf-core/pages/save'
import { alternatives } from '../options/alternatives'
import { drawnTextOption, outputNameOption } from '../options/schemas'
import { openTypesetter } from '../text/typesetter'
import { defineTool } from './define'
import type { ToolContext, ToolInput, ToolOutput } from './define'
import { partName } from './file-name'
import { dropXfa, hasXfa } from '../pdf-core/fields/xfa'

const NAME_TEMPLATE = '{name}-{index}'

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
      z.record(z.string().min(1).max(1000), valueSchema),
    )
    .transform(values => renameKeys(values, key => key.replace(/^\0(?=\0*__proto__$)/, '')))
    .describe(meaning)
}

/** Copies an object with renamed keys. Returns other values unchanged. */
function renameKeys<Value>(value: Value, rename: (key: string) => string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // The values keep their type. `fromEntries` also sets keys that an assignment would not create.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), item])) as Value
}

const optionsSchema = z
  .strictObject({
    fields: fieldsOption(
      'Values by field name: the full name, or its last part where only one field has it. Text fields take a text ' +
        'or a number; check boxes `true`, `false` or their export value; radio buttons an export value, a label or ' +
        '`"#2"` for the second one, and `false` for none; dropdowns and lists an export value or a label, lists an ' +
        'array too. `null` clears. Values that scripts of the form would calculate are not: send them too.',
    ).optional(),
    flatten: z.boolean().default(false).describe('Draws the filled fields into the pages and removes the form.'),
    onUnknown: z
      .enum(['error', 'ignore'])
      .default('error')
      .describe(
        'What happens with names that the form does not have: `error` refuses the call and names them, `ignore` ' +
          'leaves them out with the warning `unknown-field`.',
      ),
    readOnly: z
      .boolean()
      .default(true)
      .describe(
        'Whether fields that people can not change in the form are filled too; with `false`, naming one is refused.',
      ),
    fontSize: z
      .union([z.enum(['keep', 'auto']), z.number().min(2).max(300)])
      .default('keep')
      .describe(
        'Size of filled text: `keep` as the form has it, `auto` as fits the field, or a number of points from 2 to ' +
          '300. Text that is too long or too high for its field is cut off, with the warning `text-cut`.',
      ),
    lock: z
      .boolean()
      .default(false)
      .describe('Makes all fields read-only; they stay fields. Signature fields can still be signed.'),
    clearOthers: z
      .boolean()
      .default(false)
      .describe('Clears all fields that are not named: texts, choices, check boxes and radio buttons.'),
    records: z
      .array(fieldsOption('Values of one record, as `fields` takes them.'))
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Mail merge: fills the form once for every entry, at most 200. What an entry does not name comes from ' +
          '`fields`.',
      ),
    output: z
      .enum(['zip', 'pdf'])
      .default('zip')
      .describe(
        'With `records`: a ZIP with one PDF each, or one PDF with all of them behind one another, where fields of ' +
          'one name get numbers.',
      ),
    nameTemplate: z
      .string()
      .min(1)
      .max(200)
      .default(NAME_TEMPLATE)
      .describe(
        'With `records`: file names in the ZIP. `{name}` of the input, `{index}` of the record from 1, and `{…}` ' +
          'with a name in `records` or `fields` for its value.',
      ),
    xfa: z
      .enum(['drop', 'error'])
      .default('drop')
      .describe(
        'A form that has an XFA twin: `drop` removes the twin, with the warning `xfa-dropped`; `error` refuses it. ' +
          'Forms that are nothing but XFA are always refused.',
      ),
    listOnly: z
      .boolean()
      .default(false)
      .describe(
        'Changes nothing and answers JSON: every field with its name, type, value, options, page (from 1) and ' +
          'place, in points from the lower-left corner of the page as seen.',
      ),
    outputName: outputNameOption,
  })
  .superRefine((options, context) => {
    const blame = (name: keyof typeof options, message: string): void => {
      context.addIssue({ code: 'custom', path: [name], message })
    }
    const { fields, records, listOnly, clearOthers, lock, flatten: flattens } = options
    if (!fields && !records && !listOnly && !clearOthers && !lock && !flattens)
      blame(
        'fields',
        'is missing; send values by field name such as {"fullName": "Ada"}, or listOnly: true to learn the names',
      )
    if (listOnly && (fields || records))
      blame('listOnly', `fills nothing; leave ${fields ? 'fields' : 'records'} out or set it to false`)
    if (lock && flattens) blame('lock', 'makes fields read-only, and flatten leaves no fields; set one of the two')
    if (options.output !== 'zip' && !records) blame('output', 'belongs to records; leave it out')
    if (options.nameTemplate !== NAME_TEMPLATE && (!records || options.output === 'pdf'))
      blame('nameTemplate', 'names the files of records in a ZIP; leave it out')
  })
  .meta(
    alternatives(
      { required: ['fields'], values: { listOnly: [false] } },
      { required: ['records'], values: { listOnly: [false] } },
      { required: ['clearOthers'], values: { clearOthers: [true] }, without: ['records'] },
      { required: ['lock'], values: { lock: [true], flatten: [false] }, without: ['records'] },
      { required: ['flatten'], values: { flatten: [true], lock: [false] }, without: ['records'] },
      { required: ['listOnly'], values: { listOnly: [true] }, without: ['fields', 'records'] },
    ),
  )

type Options = z.output<typeof optionsSchema>

export const formFiller = defineTool({
  id: 'form-filler',
  title: 'Fill a form',
  summary:
    'Fills text fields, check boxes, radio buttons, dropdowns and lists in any script, draws them so that every ' +
    'viewer shows them, and can flatten the form or fill it many times.',
  files: 'one',
  suffix: 'filled',
  responses: 'application/pdf',
  otherResponses: [
    { contentType: 'application/zip', when: 'with `records`: a PDF of each' },
    { contentType: 'application/json', when: 'with `listOnly`: the fields' },
  ],
  warnings: ['tags-dropped', 'characters-missing', 'text-cut'],
  options: optionsSchema,
  examples: [
    { title: 'Fill a form', options: { fields: { fullName: 'Żaneta Nowak', country: 'Poland', agree: true } } },
    { title: 'Fill and flatten', options: { fields: { fullName: '山田太郎', transport: '#2' }, flatten: true } },
    { title: 'Learn the names and options of the fields', options: { listOnly: true } },
    {
      title: 'One letter for each customer',
      options: {
        fields: { agree: true },
        records: [{ fullName: 'Ada Lovelace' }, { fullName: 'Мария Кюри' }],
        nameTemplate: '{index}-{fullName}',
      },
    },
  ],
  async run([input], options, context): Promise<ToolOutput> {
    if (!input) throw new RangeError('form-filler without a file') // The service requires one file.
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
  return {
    kind: 'file',
    bytes: Buffer.from(`${JSON.stringify(list, null, 2)}\n`),
    contentType: 'application/json',
    extension: 'json',
  }
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
      'This form is nothing but XFA, whose fields are not in the PDF itself; save it as an AcroForm first.',
    )
  if (planner.fields.length === 0) throw problem(undefined, 'This document has no form fields; send one with a form.')
  if (xfa === 'error' && hasXfa(document))
    throw problem('options.xfa', 'is "error", and this form has an XFA twin; use "drop" to remove it')
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
    throw problem('options.nameTemplate', `${unknown[0]} is neither {name} nor {index} nor a field of this form`)
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
  await drawMissingAppearances(document, new Set())
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
      `${plans.length} records of ${document.pageCount} pages make ${total.toLocaleString('en')} pages; at most ` +
        `${maxPagesOut.toLocaleString('en')} are allowed`,
    )
  const files: Uint8Array[] = []
  for (const plan of plans) {
    const copy = forkDocument(document)
    adoptFields(copy)
    await fillOne(copy, plan, options)
    files.push(saveDocument(copy))
    for (const warning of copy.warnings) context.warn(warning)
  }
  if (options.output === 'pdf') {
    const [first, ...others] = files.map(bytes => openDocument(bytes, { ...context.limits, maxPagesIn: maxPagesOut }))
    if (!first) throw new RangeError('no records') // The schema requires at least one record.
    appendDocuments(first, others, 'rename')
    return { kind: 'pdf', document: first }
  }
  const pages = Array.from({ length: document.pageCount }, (_, index) => index + 1)
  return {
    kind: 'zip',
    parts: files.map((bytes, index) => ({ name: partName(writeName(name, index, options)), pages, bytes })),
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
    ? new EngineError('bad-options', message)
    : new EngineError('bad-options', `${param}: ${message}`, { param })
}
