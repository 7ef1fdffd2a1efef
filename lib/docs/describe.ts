import type * as z from 'zod'
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
  const description = ownSchema.description ?? branches.find(branch => branch.description)?.description ?? ''
  const hasNumber = branches.some(({ type }) => type === 'number')
  const bounds = unique(
    branches.map(branch => describeBounds(branch, { schemas, description, hasNumber })).filter(bound => bound !== ''),
  )
  return {
    name,
    type: unique(branches.map(branch => nameType(branch, schemas))).join(' or '),
    values: branches
      .flatMap(branch => (branch.const === undefined ? (branch.enum ?? []) : [branch.const]))
      .map(value => JSON.stringify(value)),
    isRequired,
    description,
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
    // A list of types after another list of types would not say which of them it belongs to.
    if (items.length > 1 && items.some(item => item.startsWith('array')))
      return `array (each entry: ${listWords(items.map(item => item.replace(/^array/, 'an array')))})`
    return items.length === 0 ? 'array' : `array of ${listWords(items.map(plural))}`
  }
  if (schema.type !== undefined) return [schema.type].flat().join(' or ')
  const [value] = schema.enum ?? [schema.const]
  return value === undefined ? 'any' : typeof value
}

function listWords(words: string[]): string {
  if (words.length < 3) return words.join(' or ')
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
}

function plural(type: string): string {
  return type === 'any'
    ? 'anything'
    : type.replace(/^array/, 'arrays').replace(/^(object|string|number|integer|boolean)$/, '$1s')
}

/** Bounds from here on only protect the server. No sensible value comes near them. */
const ABSURD = 1_000_000
/** Maximum lengths of texts from here on are only in the OpenAPI document. */
const LONG_TEXT = 500
const NUMBER = String.raw`-?\d[\d,]*(?:\.\d+)?`
const LEAST_IN_WORDS = new RegExp(`\\b(?:at least|more than|from|between) (${NUMBER})`, 'gi')
const MOST_IN_WORDS = new RegExp(`\\b(?:at most|less than|from ${NUMBER} to|between ${NUMBER} and) (${NUMBER})`, 'gi')

interface BoundsContext {
  schemas: Schemas
  /** The description of the option. Bounds that it states aren't repeated. */
  description: string
  /** Whether another form of the value is a number. */
  hasNumber: boolean
}

/** Returns the bounds of one form of a value in words. Empty if it has none that help a reader. */
function describeBounds(schema: JsonSchema, context: BoundsContext): string {
  const ownBounds = [
    ...describeNumberBounds(schema, context.description),
    schema.multipleOf === undefined ? undefined : `a multiple of ${write(schema.multipleOf)}`,
    context.hasNumber && schema.pattern !== undefined
      ? undefined // The text is a number with a unit.
      : describeCount(schema.minLength, schema.maxLength, { unit: 'characters', ...context }),
    describeCount(schema.minItems, schema.maxItems, { unit: 'entries', ...context }),
  ].filter(bound => bound !== undefined)
  const itemBounds = listItems(schema, context.schemas)
    .filter(item => item.type === 'number' || item.type === 'integer' || item.type === 'string')
    .map(item => describeBounds(item, context))
    .filter(bound => bound !== '' && bound !== 'at least 1')
  return [ownBounds.join(' and '), ...(itemBounds.length > 0 ? [`each ${itemBounds.join(' or ')}`] : [])]
    .filter(bound => bound !== '')
    .join(', ')
}

/**
 * Returns the range of a number. An absurd end is left out, and so is an end that the description states in words, such
 * as "at least 3", or narrows. If the description contains all ends as numbers, nothing remains.
 */
function describeNumberBounds(schema: JsonSchema, description: string): (string | undefined)[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const select = (bound: number | boolean | undefined, isStated: (bound: number) => boolean) =>
    typeof bound !== 'number' || Math.abs(bound) >= ABSURD || isStated(bound) ? undefined : bound
  const rules = description.replace(/Default: [^.]*/g, '')
  const hasLeast = (bound: number) => listNumbers(rules, LEAST_IN_WORDS).some(number => number >= bound)
  const hasMost = (bound: number) => listNumbers(rules, MOST_IN_WORDS).some(number => number <= bound)
  const [least, over] = [select(minimum, hasLeast), select(exclusiveMinimum, hasLeast)]
  const [most, under] = [select(maximum, hasMost), select(exclusiveMaximum, hasMost)]
  const ends = [least, over, most, under].filter(end => end !== undefined)
  if (ends.every(end => states(description, end))) return []
  return [
    writeRange(least, most, ''),
    over === undefined ? undefined : `more than ${write(over)}`,
    under === undefined ? undefined : `less than ${write(under)}`,
  ]
}

function describeCount(
  least: number | undefined,
  most: number | undefined,
  { unit, description }: { unit: string; description: string },
): string | undefined {
  const isStated =
    most !== undefined && (most >= (unit === 'characters' ? LONG_TEXT : ABSURD) || states(description, most))
  return isStated ? undefined : writeRange(least, most, ` ${unit}`)
}

/** Returns whether a text contains a number, with or without separators. */
function states(text: string, value: number): boolean {
  return listNumbers(text, new RegExp(`(${NUMBER})`, 'g')).includes(value)
}

/** Returns the numbers in the first group of all matches. */
function listNumbers(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, number = '']) => Number(number.replaceAll(',', '')))
}

/** Units after a single 1. */
const SINGULARS: Record<string, string> = { ' characters': ' character', ' entries': ' entry' }

function writeRange(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const count = (bound: number) => `${write(bound)}${bound === 1 ? (SINGULARS[unit] ?? unit) : unit}`
  if (least === undefined) return most === undefined ? undefined : `at most ${count(most)}`
  if (least === most) return `exactly ${count(least)}`
  return most === undefined ? `at least ${count(least)}` : `${write(least)} to ${count(most)}`
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
