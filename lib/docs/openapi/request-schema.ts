import type * as z from 'zod'
import { ALTERNATIVES, type Alternative } from '../../../engines/options/alternatives'
import { type JsonSchema, mapSchema, referTo, writeAnnotatedComponents } from '../json-schema'

type Schemas = Record<string, JsonSchema>

/**
 * Returns a schema for requests as components of an OpenAPI document. It differs from `writeSchemaComponents` in two
 * ways. Defaults are part of descriptions: some generators make fields with a `default` required. A schema that needs
 * one of several fields becomes `anyOf`, with one complete object each: many generators ignore properties beside `anyOf`.
 */
export function writeRequestComponents(schema: z.ZodObject, name: string): Schemas {
  const { schemas } = writeAnnotatedComponents(schema, name, annotation => annotation === ALTERNATIVES)
  const { [name]: root = {}, ...parts } = schemas
  const prefix = name.replace(/Options(?=$|Form$)/, '')
  const shared: Schemas = {}
  const share = (property: string, part: JsonSchema): JsonSchema => {
    const partName = `${prefix}${property.charAt(0).toUpperCase()}${property.slice(1)}`
    shared[partName] = part
    return referTo(partName)
  }
  const written = Object.entries({ ...parts, [name]: root[ALTERNATIVES] ? shareProperties(root, share) : root })
  return Object.fromEntries([...written, ...Object.entries(shared)].map(([key, part]) => [key, rewrite(part)]))
}

/** Replaces properties that hold objects, so that each alternative only repeats a reference. */
function shareProperties(schema: JsonSchema, share: (name: string, part: JsonSchema) => JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    typeof property === 'object' && holdsObject(property) ? share(name, property) : property,
  ])
  return { ...schema, properties: Object.fromEntries(properties) as NonNullable<JsonSchema['properties']> }
}

function holdsObject(schema: JsonSchema): boolean {
  let isFound = false
  mapSchema(schema, one => {
    isFound ||= one.type === 'object'
    return one
  })
  return isFound
}

function rewrite(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, one => expandAlternatives(describeDefault(one)))
}

function describeDefault({ default: usual, ...schema }: JsonSchema): JsonSchema {
  const { description = '' } = schema
  const isSaid = /\bDefault:|\bby default\b|\bomitted\b/.test(description)
  if (usual === undefined || isSaid || isEmptyObject(usual)) return schema
  const written = typeof usual === 'string' && usual !== '' ? usual : JSON.stringify(usual)
  return { ...schema, description: `${description} Default: \`${written}\`.`.trimStart() }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function expandAlternatives({ [ALTERNATIVES]: list, ...schema }: JsonSchema): JsonSchema {
  if (list === undefined) return schema
  const { description, ...object } = schema
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: (list as readonly Alternative[]).map(one => expandAlternative(object, one)), // as `alternatives` returns it
  }
}

function expandAlternative(object: JsonSchema, { required, values = {}, without = [] }: Alternative): JsonSchema {
  const properties = Object.entries(object.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, property]) => [name, values[name] ? narrow(property, values[name]) : property])
  const names = [...new Set([...(object.required ?? []), ...required])].filter(name => !without.includes(name))
  const { required: _, ...rest } = object
  return {
    ...rest,
    properties: Object.fromEntries(properties) as NonNullable<JsonSchema['properties']>,
    ...(names.length > 0 ? { required: names } : {}),
  }
}

function narrow(property: JsonSchema | boolean, values: readonly (string | boolean)[]): JsonSchema {
  const { description } = typeof property === 'object' ? property : {}
  const [value] = values
  return {
    ...(description === undefined ? {} : { description }),
    type: typeof value === 'boolean' ? 'boolean' : 'string',
    enum: [...values],
  }
}
