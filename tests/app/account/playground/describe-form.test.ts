import { expect, it } from 'vitest'
import * as z from 'zod'
import { discountField } from '../../../../engines/features/invoice/data/fields'
import { inForm, onlyIf } from '../../../../engines/options/form-hints'
import { writeSchemaComponents } from '../../../../lib/docs/json-schema'
import { describeForm } from '../../../../app/account/playground/describe-form'
import { describePlaygroundEndpoint } from '../../../../app/account/playground/playground-endpoints'
import {
  type Field,
  fits,
  type Json,
  type FieldShape,
  type JsonObject,
} from '../../../../app/_ui/playground/form/field-shapes'
import { findStepChoice, optionsMember } from '../../../../app/_ui/playground/form/step-forms'
import { listEndpoints } from '../../../../lib/docs/endpoints'

const AB = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
]

const shapeOf = (schema: z.ZodType, name = 'value') => describeForm(z.object({ [name]: schema }))[0]?.shape

it('has a separate control for each simple kind of value', () => {
  expect(shapeOf(z.string())).toEqual({ kind: 'text', isLong: false })
  expect(shapeOf(z.string().max(500).describe('Line feeds start new lines.'))).toEqual({
    kind: 'text',
    isLong: true,
    maxLength: 500,
  })
  expect(shapeOf(z.int().min(1).max(12))).toEqual({ kind: 'number', bounds: '1 to 12' })
  expect(shapeOf(z.number().positive())).toEqual({ kind: 'number', bounds: 'more than 0' })
  expect(shapeOf(z.boolean())).toEqual({ kind: 'switch' })
  expect(shapeOf(z.enum(['a', 'b']))).toEqual({ kind: 'choice', choices: AB })
  expect(shapeOf(z.union([z.literal(90), z.literal(180)]))).toEqual({
    kind: 'choice',
    choices: [
      { value: 90, label: '90' },
      { value: 180, label: '180' },
    ],
  })
})

it('recognizes page selectors, colors, lengths and files at any depth', () => {
  const pages = z.union([z.array(z.int().min(1)), z.string()])
  const color = z.union([z.string(), z.strictObject({ r: z.int(), g: z.int(), b: z.int() })])
  expect(shapeOf(pages)).toEqual({ kind: 'pages' })
  expect(shapeOf(color)).toEqual({ kind: 'color' })
  expect(shapeOf(z.strictObject({ name: z.string(), dataBase64: z.string() }))).toEqual({ kind: 'file' })
})

it('nests lists, objects, maps and unions', () => {
  expect(shapeOf(z.array(z.enum(['a', 'b'])))).toEqual({ kind: 'choices', choices: AB })
  expect(shapeOf(z.array(z.strictObject({ x: z.number() })).max(3))).toEqual({
    kind: 'list',
    most: 3,
    item: {
      kind: 'object',
      fields: [{ name: 'x', label: 'X', isRequired: true, description: '', shape: { kind: 'number' } }],
    },
  })
  expect(shapeOf(z.record(z.string(), z.number()))).toEqual({ kind: 'map', value: { kind: 'number' } })
  expect(shapeOf(z.union([z.string(), z.strictObject({ width: z.number(), height: z.number() })]))).toMatchObject({
    kind: 'union',
    choices: [
      { title: 'Text', shape: { kind: 'text' } },
      { title: 'Details', shape: { kind: 'object' } },
    ],
  })
})

it('marks required fields and names the defaults', () => {
  const [size, style] = describeForm(
    z.object({ size: z.number(), style: z.string().default('plain').describe('How it looks.') }),
  )
  expect(size).toMatchObject({ isRequired: true, description: '' })
  expect(style).toMatchObject({ isRequired: false, default: 'plain', description: 'How it looks.' })
})

it('takes labels, names of values and conditions from metadata beside the schema', () => {
  const mode = z
    .enum(['all', 'every'])
    .default('all')
    .meta(inForm({ label: 'Split', choices: { every: 'Every N pages' } }))
  const every = z
    .int()
    .optional()
    .meta(inForm({ label: 'Pages per part', isRequired: true }))
    .meta(onlyIf({ mode: ['every'] }))
  expect(describeForm(z.object({ mode, every }))).toMatchObject([
    {
      name: 'mode',
      label: 'Split',
      shape: {
        choices: [
          { value: 'all', label: 'All' },
          { value: 'every', label: 'Every N pages' },
        ],
      },
    },
    { name: 'every', label: 'Pages per part', isRequired: true, appliesIf: [{ mode: ['every'] }] },
  ])
  const { schemas } = writeSchemaComponents(z.object({ mode, every }), 'options')
  expect(JSON.stringify(schemas)).not.toMatch(/Split|Every N|form\./)
})

it('joins named values with other text, and page selections with a range', () => {
  const format = z.string().meta(inForm({ choices: { page: '1', dash: '- 1 -' }, otherText: 'Template' }))
  expect(shapeOf(format)).toMatchObject({
    kind: 'union',
    choices: [{ shape: { kind: 'choice' } }, { title: 'Template', shape: { kind: 'text' } }],
  })
  const range = z.strictObject({ start: z.int() }).meta(inForm({ title: 'Range' }))
  expect(shapeOf(z.union([range, z.array(z.int().min(1)), z.string()]))).toMatchObject({
    kind: 'union',
    choices: [
      { title: 'Page selection', shape: { kind: 'pages' } },
      { title: 'Range', shape: { kind: 'object' } },
    ],
  })
})

it('edits deeply nested values as JSON, also a schema that contains itself', () => {
  const node: z.ZodType = z.object({
    get child() {
      return node.optional()
    },
  })
  let shape = shapeOf(node)
  let depth = 0
  while (shape?.kind === 'object') {
    shape = shape.fields[0]?.shape
    depth += 1
  }
  expect(shape).toEqual({ kind: 'json' })
  expect(depth).toBe(4)
})

it('has a control, not a JSON editor, for every option of every operation, and shows every documented example', () => {
  const kindsOf = (shape: FieldShape, name: string): string[] => {
    if (shape.kind === 'object') return shape.fields.flatMap(field => kindsOf(field.shape, `${name}.${field.name}`))
    if (shape.kind === 'list') return kindsOf(shape.item, `${name}[]`)
    if (shape.kind === 'map') return kindsOf(shape.value, `${name}{}`)
    if (shape.kind === 'union') return shape.choices.flatMap(choice => kindsOf(choice.shape, name))
    return [`${name} ${shape.kind}`]
  }
  const misfits = (field: Field | undefined, name: string, value: Json): string[] =>
    field && fits(field.shape, value) ? [] : [name]
  for (const call of listEndpoints().map(describePlaygroundEndpoint)) {
    const deep = call.fields.flatMap(field => kindsOf(field.shape, field.name)).filter(text => text.endsWith(' json'))
    expect(deep.map(text => `${call.slug} ${text}`).filter(text => !text.includes('oddEven'))).toEqual([])
    for (const { options } of call.examples) {
      for (const [name, value] of Object.entries(options))
        expect(
          misfits(
            call.fields.find(field => field.name === name),
            `${call.slug} ${name}`,
            value,
          ),
        ).toEqual([])
    }
    expect(call.frontFields.length).toBeGreaterThan(0)
  }
})

it('lets a step of a pipeline be any other operation, with the form of that operation', () => {
  const calls = listEndpoints().map(describePlaygroundEndpoint)
  const pipeline = calls.find(({ slug }) => slug === 'pipeline')
  const steps = pipeline?.fields.find(({ name }) => name === 'steps')
  expect(steps?.shape).toMatchObject({ kind: 'steps', most: 20, as: { label: 'Name of the result' } })
  const choices = steps?.shape.kind === 'steps' ? steps.shape.choices : []
  expect(choices.map(({ slug }) => slug)).toEqual(calls.map(({ slug }) => slug).filter(slug => slug !== 'pipeline'))
  const members = choices.filter(({ member }) => member !== 'tool').map(({ slug, member }) => [slug, member])
  expect(members).toEqual([
    ['webpage-to-pdf', 'webpage'],
    ['invoice-generator', 'invoice'],
  ])
  // The form knows the fields of every step in the examples.
  for (const step of pipeline?.examples.flatMap(({ options }) => options['steps'] as JsonObject[]) ?? []) {
    const choice = findStepChoice(choices, step)
    const options = choice && step[optionsMember(choice)]
    const { fields = [] } = calls.find(({ slug }) => slug === choice?.slug) ?? {}
    const names = new Set(fields.map(({ name }) => name))
    expect(fields.length).toBeGreaterThan(0)
    expect(Object.keys((options ?? {}) as JsonObject).filter(name => !names.has(name))).toEqual([])
  }
})

it('offers the amount of a discount once, although it has two forms', () => {
  expect(shapeOf(discountField('Discount.'))).toMatchObject({
    kind: 'union',
    choices: [{ title: 'Amount' }, { title: 'Fraction' }, { isAlias: true }],
  })
})
