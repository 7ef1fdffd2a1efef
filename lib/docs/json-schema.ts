import * as z from 'zod'
import { ALTERNATIVES, CLIENT_TYPE } from '../../engines/options/alternatives'
import { isFormHint } from '../../engines/options/form-hints'

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** A schema in an OpenAPI document: a reference, and the required entries of `components.schemas`. */
export interface SchemaComponents {
  ref: { $ref: string }
  schemas: Record<string, JsonSchema>
}

const COMPONENTS = '#/components/schemas/'

/**
 * Returns the input schema of a zod schema (before defaults) as components of an OpenAPI document under `name`. Shared
 * and recursive parts become separate components. Throws an Error for schemas that JSON Schema can't express.
 */
export function writeSchemaComponents(schema: z.ZodType, name: string): SchemaComponents {
  return writeAnnotatedComponents(schema, name, () => false)
}

/** Returns the same components, in which schemas keep these annotations of their metadata. */
export function writeAnnotatedComponents(
  schema: z.ZodType,
  name: string,
  keeps: (annotation: string) => boolean,
): SchemaComponents {
  const { ref, schemas } = writeAllComponents(schema, name)
  const isDropped = (key: string) => (key === ALTERNATIVES || key === CLIENT_TYPE || isFormHint(key)) && !keeps(key)
  const plain = (one: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !isDropped(key)))
  const parts = Object.entries(schemas).map(([key, part]) => [key, mapSchema(part, plain)])
  return { ref, schemas: Object.fromEntries(parts) as Record<string, JsonSchema> }
}

function writeAllComponents(schema: z.ZodType, name: string): SchemaComponents {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
  const parts = Object.entries($defs).map(([key, part]) => [nameOfPart(name, key), rewrite(part, name)])
  return {
    ref: referTo(name),
    schemas: { [name]: rewrite(root, name) as JsonSchema, ...Object.fromEntries(parts) },
  }
}

/** Returns a reference to a component. */
export function referTo(name: string): { $ref: string } {
  return { $ref: `${COMPONENTS}${name}` }
}

/** Resolves a reference. Returns any other schema unchanged. */
export function resolveReference(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const target = schemas[$ref.slice(COMPONENTS.length)]
  if (!target) throw new Error(`There is no schema ${$ref}`)
  return target
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const APPLICATORS = {
  one: ['additionalProperties', 'propertyNames', 'items', 'not'],
  list: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['properties', 'patternProperties'],
} as const

/** Returns a copy of a schema in which `change` was applied to every schema inside, and then to the schema itself. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inside = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? mapSchema(value as JsonSchema, change) : value
  const copy: Record<string, unknown> = { ...schema }
  for (const key of APPLICATORS.one) if (copy[key] !== undefined) copy[key] = inside(copy[key])
  for (const key of APPLICATORS.list) {
    const list = copy[key]
    if (Array.isArray(list)) copy[key] = list.map(inside)
  }
  for (const key of APPLICATORS.named) {
    const named = copy[key]
    if (typeof named === 'object' && named !== null)
      copy[key] = Object.fromEntries(Object.entries(named).map(([name, one]) => [name, inside(one)]))
  }
  return change(copy)
}

function nameOfPart(name: string, key: string): string {
  return `${name}.${key.replace(/[^\w.-]/g, '_')}`
}

/** Removes zod's internal members, and rewrites references for the document. */
function rewrite(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map(item => rewrite(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, item]) => !isNoise(key, item))
  return Object.fromEntries(entries.map(([key, item]) => [key, rewriteMember(key, item, name)]))
}

/** A property may be named like a keyword, but its value is an object. */
function rewriteMember(key: string, value: unknown, name: string): unknown {
  if (typeof value !== 'string') return rewrite(value, name)
  if (key === '$ref') return rewriteReference(value, name)
  return key === 'pattern' ? unescapeSlashes(value) : value
}

/** Only regular expressions in JavaScript escape slashes. Some generators escape those of a pattern once more. */
function unescapeSlashes(pattern: string): string {
  return pattern.replace(/\\(.)/gs, (escape, character: string) => (character === '/' ? '/' : escape))
}

/** The bounds of safe integers don't help a reader. A property may have the same name, but its value is an object. */
function isNoise(key: string, value: unknown): boolean {
  if (key === '$schema') return typeof value === 'string'
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  )
}

function rewriteReference(reference: string, name: string): string {
  if (reference === '#') return `${COMPONENTS}${name}`
  return `${COMPONENTS}${nameOfPart(name, reference.replace('#/$defs/', ''))}`
}
