import type * as z from 'zod'
import { isFormHint, readFormHints, type FormHints } from '../../../engines/options/form-hints'
import { resolveReference, writeAnnotatedComponents, type JsonSchema } from '../../../lib/docs/json-schema'
import type { Field, Json, FieldShape, ShapeChoice } from '../../_ui/playground/form/field-shapes'
import { nameChoices, nameInWords } from './field-names'

type Schemas = Record<string, JsonSchema>

/** Maximum depth of nested fields. Deeper values are typed as JSON. */
const MAX_DEPTH = 4

/** Returns the form fields of a schema as plain data. */
export function describeForm(schema: z.ZodObject): Field[] {
  const { schemas } = writeAnnotatedComponents(schema, 'options', isFormHint)
  return describeFields(schemas['options'] ?? {}, schemas, 0)
}

function describeFields(schema: JsonSchema, schemas: Schemas, depth: number): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const ownSchema = asSchema(property)
    const branches = listBranches(ownSchema, schemas)
    const fallback = ownSchema.default as Json | undefined // zod writes defaults as JSON
    const description = ownSchema.description ?? branches.find(branch => branch.description)?.description ?? ''
    const hints = readFormHints(ownSchema)
    const { label = nameInWords(name), appliesIf, isRequired = false } = hints
    return {
      name,
      label,
      isRequired: isRequired || (schema.required?.includes(name) ?? false),
      description,
      ...(fallback === undefined || isEmpty(fallback) ? {} : { default: fallback }),
      ...(appliesIf === undefined ? {} : { appliesIf: [...appliesIf] }),
      shape: describeShape({ name, description, hints }, branches, schemas, depth),
    }
  })
}

/** What is known of a field beside its schema. Name and description distinguish a color or a long text from other text. */
interface Words {
  name: string
  description: string
  hints: FormHints
}

/** Returns the control for a value that matches any of these schemas. */
function describeShape(words: Words, branches: JsonSchema[], schemas: Schemas, depth: number): FieldShape {
  const kinds = branches.filter(({ type }) => type !== 'null')
  const [first] = kinds
  if (!first) return { kind: 'json' }
  if (kinds.length === 1) return describeOne(words, first, schemas, depth)
  if (kinds.every(kind => listValues(kind).length > 0))
    return { kind: 'choice', choices: nameChoices(kinds.flatMap(listValues), words.hints) }
  if (isColor(kinds)) return { kind: 'color' }
  return describeUnion(
    kinds,
    kind => listItems(kind, schemas),
    kind => describeOne({ ...words, hints: {} }, kind, schemas, depth),
  )
}

function describeOne(words: Words, schema: JsonSchema, schemas: Schemas, depth: number): FieldShape {
  const values = listValues(schema)
  const hints = { ...words.hints, ...readFormHints(schema) }
  if (values.length > 0) return { kind: 'choice', choices: nameChoices(values, hints) }
  if (Array.isArray(schema.type))
    return schema.type.every(type => type === 'number' || type === 'string') ? { kind: 'measure' } : { kind: 'json' }
  switch (schema.type) {
    case 'string':
      return describeText(words, schema, hints)
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

/**
 * A text with named values is a choice, maybe beside other text. Otherwise it has several lines if its description
 * mentions lines, or if it is HTML.
 */
function describeText({ name, description }: Words, { maxLength }: JsonSchema, hints: FormHints): FieldShape {
  if (/colou?r$/i.test(name) && maxLength === undefined) return { kind: 'color' }
  const isLong = /^html$|(header|footer)Template$/.test(name) || /\bline feeds?\b|\blines\b/i.test(description)
  const text = {
    kind: 'text',
    isLong,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(hints.isSecret && { isSecret: true }),
  } as const
  if (hints.choices === undefined) return text
  const choice = { kind: 'choice', choices: nameChoices(Object.keys(hints.choices), hints) } as const
  if (hints.otherText === undefined) return choice
  return {
    kind: 'union',
    choices: [
      { title: '', shape: choice },
      { title: hints.otherText, shape: text },
    ],
  }
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
  if (item.kind === 'choice') return { kind: 'choices', choices: item.choices }
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

function isColor(kinds: JsonSchema[]): boolean {
  return kinds.every(
    kind => kind.type === 'string' || (kind.properties?.['r'] !== undefined && kind.properties['g'] !== undefined),
  )
}

/** Returns the only values that a schema allows. Empty if the schema doesn't list its values. */
function listValues(schema: JsonSchema): (string | number | boolean)[] {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return values.filter(value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
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

/** Bounds from here on only protect the server. No sensible value comes near them. */
const ABSURD = 1e9

function writeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string | undefined {
  const write = (words: string, value: number | boolean | undefined) =>
    typeof value !== 'number' || Math.abs(value) >= ABSURD ? undefined : `${words}${value.toLocaleString('en')}`
  const [least, most] = [write('', minimum), write('', maximum)]
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  const bounds = [
    write('more than ', exclusiveMinimum),
    write('at least ', minimum),
    write('less than ', exclusiveMaximum),
    write('at most ', maximum),
  ]
  return bounds.filter(bound => bound !== undefined).join(', ') || undefined
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** In JSON Schema, `true` means any value. zod writes `{}`. */
function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}

/** Names of alternatives without a title of their own. */
const TITLES: Partial<Record<FieldShape['kind'], string>> = {
  text: 'Text',
  number: 'Number',
  measure: 'Length',
  pages: 'Page selection',
  switch: 'Yes or no',
  list: 'List',
  choices: 'Selection',
  file: 'File',
  object: 'Details',
}

/**
 * Returns the control for a value of several kinds. Page numbers and selectors are one control, and so are a number and a
 * text with a unit.
 */
function describeUnion(
  kinds: JsonSchema[],
  listItems: (kind: JsonSchema) => JsonSchema[],
  describe: (kind: JsonSchema) => FieldShape,
): FieldShape {
  const isListOfPages = (kind: JsonSchema) =>
    kind.type === 'array' && listItems(kind).every(({ type, minimum }) => type === 'integer' && minimum === 1)
  const isText = (kind: JsonSchema) => kind.type === 'string' && kind.enum === undefined && kind.const === undefined
  const isNumber = ({ type }: JsonSchema) => type === 'number'
  const takesPages = kinds.some(isListOfPages)
  const takesMeasure =
    !takesPages && kinds.some(isNumber) && kinds.some(kind => isText(kind) && kind.pattern !== undefined)
  const isPart = takesPages
    ? (kind: JsonSchema) => isListOfPages(kind) || isText(kind) || kind.type === 'integer'
    : takesMeasure
      ? (kind: JsonSchema) => isNumber(kind) || isText(kind)
      : () => false
  const part: FieldShape = takesPages ? { kind: 'pages' } : { kind: 'measure' }
  const parts = kinds.filter(isPart)
  const others = kinds.filter(kind => !isPart(kind)).map(kind => nameShape([kind], describe(kind)))
  if (others.length === 0) return part
  return { kind: 'union', choices: parts.length === 0 ? others : [nameShape(parts, part), ...others] }
}

function nameShape(kinds: JsonSchema[], shape: FieldShape): ShapeChoice {
  const [hints] = kinds.map(readFormHints).filter(({ title, isAlias }) => title !== undefined || isAlias)
  const title = hints?.title ?? TITLES[shape.kind] ?? ''
  return { title, shape, ...(hints?.isAlias === true ? { isAlias: true as const } : {}) }
}
