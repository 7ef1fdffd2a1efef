import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeForm } from '../../../../app/account/playground/describe-form'
import { describePlaygroundCall } from '../../../../app/account/playground/playground-calls'
import { type Field, fits, type Json, type FieldShape } from '../../../../app/_ui/playground/form/field-shapes'
import { listDocumentedCalls } from '../../../../lib/docs/documented-calls'

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
  expect(shapeOf(z.enum(['a', 'b']))).toEqual({ kind: 'choice', values: ['a', 'b'] })
  expect(shapeOf(z.union([z.literal(90), z.literal(180)]))).toEqual({ kind: 'choice', values: [90, 180] })
})

it('recognizes page selectors, colors, lengths and files at any depth', () => {
  const pages = z.union([z.array(z.int().min(1)), z.string()])
  const color = z.union([z.string(), z.strictObject({ r: z.int(), g: z.int(), b: z.int() })])
  expect(shapeOf(pages)).toEqual({ kind: 'pages' })
  expect(shapeOf(color)).toEqual({ kind: 'color' })
  expect(shapeOf(z.strictObject({ name: z.string(), dataBase64: z.string() }))).toEqual({ kind: 'file' })
})

it('nests lists, objects, maps and unions', () => {
  expect(shapeOf(z.array(z.enum(['a', 'b'])))).toEqual({ kind: 'choices', values: ['a', 'b'] })
  expect(shapeOf(z.array(z.strictObject({ x: z.number() })).max(3))).toEqual({
    kind: 'list',
    most: 3,
    item: { kind: 'object', fields: [{ name: 'x', isRequired: true, description: '', shape: { kind: 'number' } }] },
  })
  expect(shapeOf(z.record(z.string(), z.number()))).toEqual({ kind: 'map', value: { kind: 'number' } })
  expect(shapeOf(z.union([z.string(), z.strictObject({ width: z.number(), height: z.number() })]))).toMatchObject({
    kind: 'union',
    choices: [
      { title: 'text', shape: { kind: 'text' } },
      { title: 'width, height', shape: { kind: 'object' } },
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
  for (const call of listDocumentedCalls().map(describePlaygroundCall)) {
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
