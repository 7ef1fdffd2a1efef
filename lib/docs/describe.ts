import type { z } from 'zod'
import { type JsonSchema, resolveReference, writeSchemaComponents } from './json-schema'

/** One row of an option table. */
export interface OptionRow {
  /** Path from the options, such as `ranges[].start`. */
  name: string
  type: string
  /** The only allowed values, as JSON. Empty if the values aren't listed. */
  values: string[]
  /** Written as JSON. */
  default?: string
  /** In words, such as `1 to 120 characters`. */
  bounds?: string
  isRequired: boolean
  description: string
}

type Schemas = Record<string, JsonSchema>

const MAX_DEPTH = 6

/** Returns the options of a schema as table rows. Rows of nested objects follow the row of their object. */
export function describeOptions(schema: z.ZodObject): OptionRow[] {
  const { schemas } = writeSchemaComponents(schema, 'options')
  return describeProperties([schemas['options'] ?? {}], '', schemas, 0)
}

/** Returns rows for the properties of an object that has one of these forms. Required is what each form requires. */
function describeProperties(forms: JsonSchema[], prefix: string, schemas: Schemas, depth: number): OptionRow[] {
  if (depth > MAX_DEPTH) return [] // The schema is recursive.
  const properties = new Map(forms.flatMap(({ properties: own = {} }) => Object.entries(own)))
  return [...properties].flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const ownSchema = asSchema(property)
    const branches = listBranches(ownSchema, schemas)
    const isRequired = forms.every(({ required }) => required?.includes(key))
    return [
      describeRow({ name, ownSchema, branches, schemas, isRequired }),
      ...describeMembers(branches, name, schemas, depth + 1),
    ]
  })
}

/** Returns rows for the members of an object, and of an array's elements. */
function describeMembers(branches: JsonSchema[], name: string, schemas: Schemas, depth: number): OptionRow[] {
  const objects = (forms: JsonSchema[]) => forms.filter(({ properties }) => properties !== undefined)
  return [
    ...describeProperties(objects(branches), `${name}.`, schemas, depth),
    ...describeProperties(
      objects(branches.flatMap(branch => listItems(branch, schemas))),
      `${name}[].`,
      schemas,
      depth,
    ),
  ]
}

interface Described {
  name: string
  ownSchema: JsonSchema
  branches: JsonSchema[]
  schemas: Schemas
  isRequired: boolean
}

function describeRow({ name, ownSchema, branches, schemas, isRequired }: Described): OptionRow {
  const bounds = unique(branches.map(branch => describeBounds(branch, schemas)).filter(bound => bound !== ''))
  return {
    name,
    type: unique(branches.map(branch => nameType(branch, schemas))).join(' or '),
    values: branches
      .flatMap(branch => (branch.const === undefined ? (branch.enum ?? []) : [branch.const]))
      .map(value => JSON.stringify(value)),
    isRequired,
    description: ownSchema.description ?? branches.find(branch => branch.description)?.description ?? '',
    ...(ownSchema.default === undefined ? {} : { default: JSON.stringify(ownSchema.default) }),
    ...(bounds.length > 0 ? { bounds: bounds.join(', or ') } : {}),
  }
}

/** Returns the alternatives of a schema. Nested unions are flattened. */
function listBranches(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const resolved = resolveReference(schema, schemas)
  const choices = resolved.anyOf ?? resolved.oneOf
  return choices ? choices.flatMap(choice => listBranches(asSchema(choice), schemas)) : [resolved]
}

function listItems(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { items } = schema
  if (items === undefined || Array.isArray(items)) return []
  return listBranches(asSchema(items), schemas)
}

function nameType(schema: JsonSchema, schemas: Schemas): string {
  if (schema.type === 'array') {
    const items = unique(listItems(schema, schemas).map(item => nameType(item, schemas)))
    return items.length === 0 ? 'array' : `array of ${items.map(plural).join(', ')}`
  }
  if (schema.type !== undefined) return [schema.type].flat().join(' or ')
  const [value] = schema.enum ?? [schema.const]
  return value === undefined ? 'any' : typeof value
}

function plural(type: string): string {
  return type === 'any'
    ? 'anything'
    : type.replace(/^array/, 'arrays').replace(/^(object|string|number|integer|boolean)$/, '$1s')
}

/** Returns the bounds of one form of a value in words. Empty if it has none. */
function describeBounds(schema: JsonSchema, schemas: Schemas): string {
  const ownBounds = [
    writeRange(schema.minimum, schema.maximum, ''),
    typeof schema.exclusiveMinimum !== 'number' ? undefined : `more than ${write(schema.exclusiveMinimum)}`,
    typeof schema.exclusiveMaximum !== 'number' ? undefined : `less than ${write(schema.exclusiveMaximum)}`,
    schema.multipleOf === undefined ? undefined : `a multiple of ${write(schema.multipleOf)}`,
    writeRange(schema.minLength, schema.maxLength, ' characters'),
    writeRange(schema.minItems, schema.maxItems, ' entries'),
  ].filter(bound => bound !== undefined)
  const itemBounds = listItems(schema, schemas)
    .filter(item => item.type === 'number' || item.type === 'integer' || item.type === 'string')
    .map(item => describeBounds(item, schemas))
    .filter(bound => bound !== '')
  return [ownBounds.join(' and '), ...(itemBounds.length > 0 ? [`each ${itemBounds.join(' or ')}`] : [])]
    .filter(bound => bound !== '')
    .join(', ')
}

function writeRange(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined) return most === undefined ? undefined : `at most ${write(most)}${unit}`
  return most === undefined ? `at least ${write(least)}${unit}` : `${write(least)} to ${write(most)}${unit}`
}

function write(value: number): string {
  return value.toLocaleString('en')
}

function unique(words: string[]): string[] {
  return [...new Set(words)]
}

/** In JSON Schema, `true` means any value. zod writes `{}`. */
function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
