import { z } from 'zod'

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
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
  const parts = Object.entries($defs).map(([key, part]) => [nameOfPart(name, key), rewrite(part, name)])
  return {
    ref: { $ref: `${COMPONENTS}${name}` },
    schemas: { [name]: rewrite(root, name) as JsonSchema, ...Object.fromEntries(parts) },
  }
}

/** Resolves a reference. Returns any other schema unchanged. */
export function resolveReference(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const target = schemas[$ref.slice(COMPONENTS.length)]
  if (!target) throw new Error(`There is no schema ${$ref}`)
  return target
}

function nameOfPart(name: string, key: string): string {
  return `${name}.${key.replace(/[^\w.-]/g, '_')}`
}

/** Removes zod's internal members, and rewrites references for the document. */
function rewrite(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map(item => rewrite(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, item]) => !isNoise(key, item))
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? rewriteReference(item, name) : rewrite(item, name),
    ]),
  )
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
