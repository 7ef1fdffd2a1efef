import type { z } from 'zod'
import { type JsonSchema, resolveReference, writeSchemaComponents } from '../../../lib/docs/json-schema'
import type { Field, Json, FieldShape, ShapeChoice } from '../../_ui/playground/form/field-shapes'

type Schemas = Record<string, JsonSchema>

/** Objects inside of objects; what is deeper is typed as JSON. */
const MAX_DEPTH = 4

/** The fields of a form for what a schema takes, in plain data. */
export function describeForm(schema: z.ZodObject): Field[] {
  const { schemas } = writeSchemaComponents(schema, 'options')
  return describeFields(schemas['options'] ?? {}, schemas, 0)
}

function describeFields(schema: JsonSchema, schemas: Schemas, depth: number): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const own = asSchema(property)
    const branches = listBranches(own, schemas)
    const fallback = own.default as Json | undefined // zod writes defaults as JSON
    const description = own.description ?? branches.find(branch => branch.description)?.description ?? ''
    return {
      name,
      isRequired: schema.required?.includes(name) ?? false,
      description,
      ...(fallback === undefined || isEmpty(fallback) ? {} : { default: fallback }),
      shape: describeShape({ name, description }, branches, schemas, depth),
    }
  })
}

/** What a field is called and said to be, which tells a color, or a text of several lines, from any other text. */
interface Words {
  name: string
  description: string
}

/** A control for a value of one of these kinds. */
function describeShape(words: Words, branches: JsonSchema[], schemas: Schemas, depth: number): FieldShape {
  const kinds = branches.filter(({ type }) => type !== 'null')
  const [first] = kinds
  if (!first) return { kind: 'json' }
  if (kinds.length === 1) return describeOne(words, first, schemas, depth)
  const values = kinds.flatMap(listValues)
  if (kinds.every(kind => listValues(kind).length > 0)) return { kind: 'choice', values }
  if (isPages(kinds, schemas)) return { kind: 'pages' }
  if (isColor(kinds)) return { kind: 'color' }
  if (isMeasure(kinds)) return { kind: 'measure' }
  const choices: ShapeChoice[] = kinds.map(kind => ({
    title: nameKind(kind, schemas),
    shape: describeOne(words, kind, schemas, depth),
  }))
  return { kind: 'union', choices }
}

function describeOne(words: Words, schema: JsonSchema, schemas: Schemas, depth: number): FieldShape {
  const values = listValues(schema)
  if (values.length > 0) return { kind: 'choice', values }
  if (Array.isArray(schema.type))
    return schema.type.every(type => type === 'number' || type === 'string') ? { kind: 'measure' } : { kind: 'json' }
  switch (schema.type) {
    case 'string':
      return describeText(words, schema)
    case 'number':
    case 'integer':
      return describeNumber(schema)
    case 'boolean':
      return { kind: 'switch' }
    case 'array':
      return describeList(words, schema, schemas, depth)
    case 'object':
      return describeObject(words, schema, schemas, depth)
    default:
      return { kind: 'json' }
  }
}

/** Several lines for what says that it has them, or is markup. */
function describeText({ name, description }: Words, { maxLength }: JsonSchema): FieldShape {
  if (/colou?r$/i.test(name) && maxLength === undefined) return { kind: 'color' }
  const isLong = /^html$|Template$/.test(name) || /\bline feeds?\b|\blines\b/i.test(description)
  return { kind: 'text', isLong, ...(maxLength === undefined ? {} : { maxLength }) }
}

function describeNumber(schema: JsonSchema): FieldShape {
  const bounds = writeBounds(schema)
  return { kind: 'number', ...(bounds === undefined ? {} : { bounds }) }
}

function describeList(words: Words, schema: JsonSchema, schemas: Schemas, depth: number): FieldShape {
  const { items, maxItems } = schema
  if (items === undefined || Array.isArray(items) || depth >= MAX_DEPTH) return { kind: 'json' }
  const item = describeShape(words, listBranches(asSchema(items), schemas), schemas, depth + 1)
  if (item.kind === 'json') return item
  if (item.kind === 'choice') return { kind: 'choices', values: item.values }
  return { kind: 'list', item, ...(maxItems === undefined ? {} : { most: maxItems }) }
}

function describeObject(words: Words, schema: JsonSchema, schemas: Schemas, depth: number): FieldShape {
  const { properties, additionalProperties } = schema
  if (depth >= MAX_DEPTH) return { kind: 'json' }
  if (properties?.['dataBase64'] !== undefined) return { kind: 'file' }
  if (properties !== undefined && Object.keys(properties).length > 0)
    return { kind: 'object', fields: describeFields(schema, schemas, depth + 1) }
  if (typeof additionalProperties !== 'object') return { kind: 'json' }
  const value = describeShape(words, listBranches(additionalProperties, schemas), schemas, depth + 1)
  return value.kind === 'json' ? value : { kind: 'map', value }
}

/** Page numbers as a list or in a text, as `pages` of most calls takes them. */
function isPages(kinds: JsonSchema[], schemas: Schemas): boolean {
  const isListOfPages = (kind: JsonSchema) =>
    kind.type === 'array' && listItems(kind, schemas).every(({ type, minimum }) => type === 'integer' && minimum === 1)
  return (
    kinds.some(isListOfPages) &&
    kinds.every(kind => isListOfPages(kind) || kind.type === 'string' || kind.type === 'integer')
  )
}

function isColor(kinds: JsonSchema[]): boolean {
  return kinds.every(
    kind => kind.type === 'string' || (kind.properties?.['r'] !== undefined && kind.properties['g'] !== undefined),
  )
}

/** A number, or a text such as `10mm`. */
function isMeasure(kinds: JsonSchema[]): boolean {
  const [number, text] = kinds
  return kinds.length === 2 && number?.type === 'number' && text?.type === 'string' && listValues(text).length === 0
}

/** The only values that a schema allows; empty when it allows others. */
function listValues(schema: JsonSchema): (string | number | boolean)[] {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return values.filter(value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
}

function nameKind(schema: JsonSchema, schemas: Schemas): string {
  if (listValues(schema).length > 0) return 'one of a few words'
  if (schema.properties?.['dataBase64'] !== undefined) return 'file'
  if (schema.properties) return Object.keys(schema.properties).join(', ')
  if (schema.type !== 'array') return schema.type === 'string' ? 'text' : String(schema.type ?? 'JSON')
  const [item] = listItems(schema, schemas)
  return item === undefined ? 'list' : `list: ${nameKind(item, schemas)}`
}

/** The kinds of value that a schema takes; unions inside of unions count as one. */
function listBranches(schema: JsonSchema, schemas: Schemas, depth = 0): JsonSchema[] {
  const resolved = resolveReference(schema, schemas)
  const choices = resolved.anyOf ?? resolved.oneOf
  if (!choices || depth > MAX_DEPTH) return [mergeAll(resolved)]
  return choices.flatMap(choice => listBranches(asSchema(choice), schemas, depth + 1))
}

/** What several schemas say about one value, in one. */
function mergeAll(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  return allOf === undefined ? schema : (Object.assign({}, ...allOf.map(asSchema), own) as JsonSchema) // of schemas
}

function listItems({ items }: JsonSchema, schemas: Schemas): JsonSchema[] {
  return items === undefined || Array.isArray(items) ? [] : listBranches(asSchema(items), schemas)
}

function writeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string | undefined {
  const write = (value: number) => value.toLocaleString('en')
  const least =
    typeof exclusiveMinimum === 'number'
      ? `more than ${write(exclusiveMinimum)}`
      : minimum === undefined
        ? undefined
        : `at least ${write(minimum)}`
  const most =
    typeof exclusiveMaximum === 'number'
      ? `less than ${write(exclusiveMaximum)}`
      : maximum === undefined || maximum >= 1e9
        ? undefined
        : `at most ${write(maximum)}`
  if (minimum !== undefined && maximum !== undefined && maximum < 1e9) return `${write(minimum)} to ${write(maximum)}`
  return [least, most].filter(bound => bound !== undefined).join(', ') || undefined
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** JSON Schema lets `true` stand for "anything"; zod writes `{}`. */
function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
