import type { z } from 'zod'
import { type JsonSchema, resolveReference, writeSchemaComponents } from '../../../lib/docs/json-schema'
import type { Field, Json, FieldShape, ShapeChoice } from '../../_ui/playground/form/field-shapes'

type Schemas = Record<string, JsonSchema>

/** Maximum depth of nested fields. Deeper values are typed as JSON. */
const MAX_DEPTH = 4

/** Returns the form fields of a schema as plain data. */
export function describeForm(schema: z.ZodObject): Field[] {
  const { schemas } = writeSchemaComponents(schema, 'options')
  return describeFields(schemas['options'] ?? {}, schemas, 0)
}

function describeFields(schema: JsonSchema, schemas: Schemas, depth: number): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const ownSchema = asSchema(property)
    const branches = listBranches(ownSchema, schemas)
    const fallback = ownSchema.default as Json | undefined // zod writes defaults as JSON
    const description = ownSchema.description ?? branches.find(branch => branch.description)?.description ?? ''
    return {
      name,
      isRequired: schema.required?.includes(name) ?? false,
      description,
      ...(fallback === undefined || isEmpty(fallback) ? {} : { default: fallback }),
      shape: describeShape({ name, description }, branches, schemas, depth),
    }
  })
}

/** Name and description of a field. They distinguish a color or a text of several lines from any other text. */
interface Words {
  name: string
  description: string
}

/** Returns the control for a value that matches any of these schemas. */
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

/** A text has several lines if its description mentions lines, or if it is HTML. */
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

/** Returns whether a value is a list of page numbers or a page selector, such as `pages` of most operations. */
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

/** Returns whether a value is a number or a text such as `10mm`. */
function isMeasure(kinds: JsonSchema[]): boolean {
  const [number, text] = kinds
  return kinds.length === 2 && number?.type === 'number' && text?.type === 'string' && listValues(text).length === 0
}

/** Returns the only values that a schema allows. Empty if the schema doesn't list its values. */
function listValues(schema: JsonSchema): (string | number | boolean)[] {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return values.filter(value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
}

function nameKind(schema: JsonSchema, schemas: Schemas): string {
  if (listValues(schema).length > 0) return 'fixed values'
  if (schema.properties?.['dataBase64'] !== undefined) return 'file'
  if (schema.properties) return Object.keys(schema.properties).join(', ')
  if (schema.type !== 'array') return schema.type === 'string' ? 'text' : String(schema.type ?? 'JSON')
  const [item] = listItems(schema, schemas)
  return item === undefined ? 'list' : `list: ${nameKind(item, schemas)}`
}

/** Returns the alternatives of a schema. Nested unions are flattened. */
function listBranches(schema: JsonSchema, schemas: Schemas, depth = 0): JsonSchema[] {
  const resolved = resolveReference(schema, schemas)
  const choices = resolved.anyOf ?? resolved.oneOf
  if (!choices || depth > MAX_DEPTH) return [mergeAll(resolved)]
  return choices.flatMap(choice => listBranches(asSchema(choice), schemas, depth + 1))
}

/** Merges the schemas in `allOf` into one. */
function mergeAll(schema: JsonSchema): JsonSchema {
  const { allOf, ...ownMembers } = schema
  return allOf === undefined ? schema : (Object.assign({}, ...allOf.map(asSchema), ownMembers) as JsonSchema)
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

/** In JSON Schema, `true` means any value. zod writes `{}`. */
function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
