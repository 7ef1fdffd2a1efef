import { z } from 'zod'

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** A schema's place in an OpenAPI document: a reference, and what has to stand under `components.schemas` for it. */
export interface SchemaComponents {
  ref: { $ref: string }
  schemas: Record<string, JsonSchema>
}

const COMPONENTS = '#/components/schemas/'

/**
 * What a zod schema takes (before defaults are filled in) as components of an OpenAPI document under `name`. Shared and
 * recursive parts get components of their own. Throws an Error for schemas that JSON Schema has no words for.
 */
export function writeSchemaComponents(schema: z.ZodType, name: string): SchemaComponents {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
  const parts = Object.entries($defs).map(([key, part]) => [nameOfPart(name, key), rewrite(part, name)])
  return {
    ref: { $ref: `${COMPONENTS}${name}` },
    schemas: { [name]: rewrite(root, name) as JsonSchema, ...Object.fromEntries(parts) },
  }
}

/** The schema that a reference means; any other schema is given back as it is. */
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

/** Without what zod adds for itself, and with references that hold inside of the document. */
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

/**
 * The bounds of safe integers say nothing to a caller. A property may have any of these names: it is then an object.
 */
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
