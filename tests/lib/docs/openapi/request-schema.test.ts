import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { alternatives } from '../../../../engines/options/alternatives'
import { lengthOption } from '../../../../engines/options/schemas'
import { type Endpoint, listEndpoints } from '../../../../lib/docs/endpoints'
import { type JsonSchema, mapSchema, writeSchemaComponents } from '../../../../lib/docs/json-schema'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'
import { writeRequestComponents } from '../../../../lib/docs/openapi/request-schema'
import { sample } from '../../../support/scope'

type Options = Record<string, unknown>

interface MediaType {
  schema: JsonSchema
  examples: Record<string, { summary: string; value: Options }>
}

const document = JSON.parse(
  JSON.stringify(writeOpenApi('https://api.example.com', { OPERATOR_EMAIL: undefined, MAX_FILES: 100 })),
) as {
  paths: Record<string, { post?: { requestBody: { content: Record<string, MediaType> } } }>
  components: { schemas: Record<string, JsonSchema> }
}
const calls = listEndpoints().map(call => [call.slug, call] as const)
const tools = calls.filter(([, call]) => call.optionsKey !== undefined)

/** What a schema of the document accepts, as zod reads JSON Schema. */
function readSchema(schema: JsonSchema): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: listParts(schema) })
  return z.fromJSONSchema(JSON.parse(text.replaceAll(COMPONENTS, '#/$defs/')) as JsonSchema)
}

const COMPONENTS = '#/components/schemas/'

/** The components that a schema refers to, directly or not. */
function listParts(schema: JsonSchema, parts: Record<string, JsonSchema> = {}): Record<string, JsonSchema> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const part = document.components.schemas[name]
    if (!part || parts[name]) continue
    parts[name] = part
    listParts(part, parts)
  }
  return parts
}

function mediaType({ path }: Endpoint, type: string): MediaType {
  const found = document.paths[path]?.post?.requestBody.content[type]
  if (!found) throw new Error(`${path} takes no ${type}`)
  return found
}

describe('request schemas', () => {
  it('have no defaults, which would make fields required in generated clients', () => {
    const bodies = calls.flatMap(([, call]) =>
      ['multipart/form-data', 'application/json'].map(type => mediaType(call, type).schema),
    )
    const withDefault: JsonSchema[] = []
    for (const schema of [...bodies, ...Object.values(document.components.schemas)])
      mapSchema(schema, one => {
        if (one.default !== undefined) withDefault.push(one)
        return one
      })
    expect(withDefault).toEqual([])
  })

  it('say defaults in words', () => {
    const schema = z.object({
      mode: z.enum(['a', 'b']).default('a').describe('Mode.'),
      bold: z.boolean().default(false).describe('Bold.'),
      kind: z.enum(['default', 'all']).default('default').describe('`default` is everything but links.'),
      name: z.string().default('x').describe('Name. Default: that of the file.'),
    })
    expect(writeRequestComponents(schema, 'Some')['Some']).toMatchObject({
      properties: {
        mode: { description: 'Mode. Default: `a`.' },
        bold: { description: 'Bold. Default: `false`.' },
        kind: { description: '`default` is everything but links. Default: `default`.' },
        name: { description: 'Name. Default: that of the file.' },
      },
    })
  })

  it('are one complete object for each alternative', () => {
    const box = z.strictObject({ x: z.number() })
    const schema = z
      .strictObject({ mode: z.enum(['text', 'box']).optional(), text: z.string().optional(), box: box.optional() })
      .meta(
        alternatives(
          { required: ['text'], values: { mode: ['text'] }, without: ['box'] },
          { required: ['mode', 'box'], values: { mode: ['box'] } },
        ),
      )
    expect(writeRequestComponents(schema, 'SomeOptions')).toMatchObject({
      SomeOptions: {
        anyOf: [
          {
            properties: { mode: { type: 'string', enum: ['text'] }, text: { type: 'string' } },
            required: ['text'],
            additionalProperties: false,
          },
          { properties: { box: { $ref: '#/components/schemas/SomeBox' } }, required: ['mode', 'box'] },
        ],
      },
      SomeBox: { properties: { x: { type: 'number' } } },
    })
    expect(JSON.stringify(writeSchemaComponents(schema, 'SomeOptions'))).not.toContain('alternatives')
  })

  it.each(tools)('refuse missing options exactly where the tool does: %s', (_, call) => {
    const accepts = readSchema(mediaType(call, 'multipart/form-data').schema).safeParse({
      file: 'f',
      files: ['f', 'f'],
    })
    expect(accepts.success).toBe(call.schema.safeParse({}).success)
    const [name] = Object.keys(document.components.schemas).filter(key => isNameOf(key, call))
    if (!call.schema.safeParse({}).success)
      expect(readSchema({ $ref: `#/components/schemas/${name}` }).safeParse({}).success).toBe(false)
  })

  it.each(sample(tools, ([, { group }]) => group))('refuse no options that the tool accepts: %s', (_, call) => {
    const [name] = Object.keys(document.components.schemas).filter(key => isNameOf(key, call))
    const schema = readSchema({ $ref: `#/components/schemas/${name}` })
    const samples = mixExamples(call).filter(options => call.schema.safeParse(options).success)
    expect(samples.length).toBeGreaterThanOrEqual(call.examples.length)
    for (const options of samples) {
      if (Object.keys(options).length === 0 && call.slug === 'edit-metadata') continue // It changes nothing.
      expect(schema.safeParse(options).error, JSON.stringify(options)).toBeUndefined()
    }
  })

  it.each(sample(calls, ([, { group }]) => group))(
    'have an example form for each example, which the schema accepts: %s',
    (_, call) => {
      const { schema, examples } = mediaType(call, 'multipart/form-data')
      expect(Object.values(examples).map(({ summary }) => summary)).toEqual(call.examples.map(({ title }) => title))
      for (const { value } of Object.values(examples))
        expect(readSchema(schema).safeParse(value).error, JSON.stringify(value)).toBeUndefined()
    },
  )

  it('ask for exactly one source of a web page', () => {
    const [, call] = calls.find(([slug]) => slug === 'webpage-to-pdf') ?? []
    if (!call) throw new Error('There is no webpage-to-pdf')
    const json = readSchema(mediaType(call, 'application/json').schema)
    expect(json.safeParse({ url: 'https://example.com/' }).success).toBe(true)
    expect(json.safeParse({ landscape: true }).success).toBe(false)
    expect(json.safeParse({ url: 'https://example.com/', html: '<p>' }).success).toBe(false)
  })
})

describe('bounds of numbers', () => {
  it('are those of an opacity, a margin and a delay', () => {
    const { AddWatermarkOptions, PageNumbersOptions, WebpageToPdfOptions } = document.components.schemas
    expect(AddWatermarkOptions?.anyOf?.[0]).toMatchObject({ properties: { opacity: { minimum: 0, maximum: 1 } } })
    expect(PageNumbersOptions?.properties?.['margin']).toMatchObject({
      anyOf: [{ type: 'number', minimum: 0, maximum: 1000 }, { type: 'string' }],
    })
    expect(WebpageToPdfOptions?.properties?.['waitDelay']).toMatchObject({ minimum: 0, maximum: 30 })
  })

  it.each(calls)('are documented if they are enforced, and enforced if they are documented: %s', (_, call) => {
    const { schemas } = writeSchemaComponents(call.schema, 'options')
    const places = listNumbers(schemas['options'] ?? {}, value => value)
    for (const { schema, wrap } of places.filter(place => !isFixed(place.schema))) {
      const judge = (value: number) => describeVerdict(call.schema, wrap(value))
      const { lower = { inside: -1, outside: -1e15 }, upper = { inside: 1, outside: 1e15 } } = boundsOf(schema)
      for (const [bound, { inside, outside }] of [
        [boundsOf(schema).lower, lower],
        [boundsOf(schema).upper, upper],
      ] as const) {
        const isRefused = judge(outside) !== judge(inside)
        expect(isRefused, JSON.stringify(wrap(outside))).toBe(bound !== undefined)
      }
    }
  })

  it('would be missed if a schema enforced more than it documents', () => {
    const secret = z.object({ size: z.number().refine(value => value < 1e6) })
    expect(describeVerdict(secret, { size: 1e15 })).not.toBe(describeVerdict(secret, { size: 1 }))
    expect(boundsOf({ type: 'number' })).toEqual({ lower: undefined, upper: undefined })
    const { schemas } = writeSchemaComponents(z.object({ it: lengthOption('It.', { min: 2, max: 9, usual: 3 }) }), 'a')
    expect(listNumbers(schemas['a'] ?? {}, value => value).map(({ schema }) => boundsOf(schema))).toEqual([
      { lower: { inside: 2, outside: 1 }, upper: { inside: 9, outside: 10 } },
    ])
  })
})

function isNameOf(key: string, { slug }: Endpoint): boolean {
  return key.toLowerCase() === `${slug.replaceAll('-', '')}options`
}

/** The examples of a tool, and what two of them give together, also without one of their options. */
function mixExamples({ examples }: Endpoint): Options[] {
  const own = examples.map(({ options }) => options as Options) // An example of a tool is an object.
  const pairs = own.flatMap(one => own.map(other => ({ ...one, ...other })))
  const parts = pairs.flatMap(options =>
    Object.keys(options).map(name => Object.fromEntries(Object.entries(options).filter(([key]) => key !== name))),
  )
  return [{}, ...pairs, ...parts]
}

interface NumberPlace {
  schema: JsonSchema
  /** Puts a value at this place of the options. */
  wrap(value: unknown): unknown
}

/** Every place for a number in a schema without references. */
function listNumbers(schema: JsonSchema, wrap: (value: unknown) => unknown): NumberPlace[] {
  const inside = (part: unknown, inner: (value: unknown) => unknown): NumberPlace[] =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? listNumbers(part as JsonSchema, value => wrap(inner(value)))
      : []
  return [
    ...(schema.type === 'number' || schema.type === 'integer' ? [{ schema, wrap }] : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(one => inside(one, value => value)),
    ...inside(schema.items, value => [value]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      inside(one, value => ({ ...sampleObject(schema), [name]: value })),
    ),
  ]
}

/** Numbers for all required properties, so that a missing one hides no other problem. */
function sampleObject({ properties = {}, required = [] }: JsonSchema): Options {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(
        ([name, one]) =>
          required.includes(name) && typeof one === 'object' && (one.type === 'number' || one.type === 'integer'),
      )
      .map(([name]) => [name, 1]),
  )
}

interface Bound {
  inside: number
  outside: number
}

/** The bounds of a number in a schema, with a value on each side. */
function boundsOf(schema: JsonSchema): { lower: Bound | undefined; upper: Bound | undefined } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  return { lower: boundAt(minimum, exclusiveMinimum, -1), upper: boundAt(maximum, exclusiveMaximum, 1) }
}

function boundAt(inclusive: unknown, exclusive: unknown, direction: 1 | -1): Bound | undefined {
  if (typeof inclusive === 'number') return { inside: inclusive, outside: inclusive + direction }
  return typeof exclusive === 'number' ? { inside: exclusive - direction / 2, outside: exclusive } : undefined
}

function isFixed({ enum: values, const: value }: JsonSchema): boolean {
  return values !== undefined || value !== undefined
}

/** The problems that a schema finds, without the values that their messages repeat. */
function describeVerdict(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value)
  return JSON.stringify(error?.issues ?? [], (key, item: unknown) => (key === 'message' ? undefined : item))
}
