import type { z } from 'zod'

/**
 * Lists the keys that an object at this path of a schema may have, over all branches of its unions. Never lists
 * `__proto__`.
 */
export function listKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let schemas = unwrap(schema)
  for (const key of path) schemas = schemas.flatMap(current => findChildSchemas(current, key)).flatMap(unwrap)
  return [...new Set(schemas.flatMap(current => (isObject(current) ? Object.keys(current._zod.def.shape) : [])))]
}

type Definition = z.core.$ZodTypes

/** Unwraps a schema. A union becomes its branches. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = (schema as Definition)._zod // Every zod schema has this shape.
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return unwrap(def.innerType)
    case 'union':
      return def.options.flatMap(unwrap)
    case 'pipe':
      return [...unwrap(def.in), ...unwrap(def.out)]
    case 'lazy':
      return unwrap(def.getter())
    default:
      return [schema]
  }
}

function findChildSchemas(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  const { def } = (schema as Definition)._zod // as above
  switch (def.type) {
    case 'object': {
      const next = typeof key === 'string' && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
      return next ? [next] : []
    }
    case 'array':
      return [def.element]
    case 'record':
      return [def.valueType]
    default:
      return []
  }
}

function isObject(schema: z.core.$ZodType): schema is z.core.$ZodObject {
  return (schema as Definition)._zod.def.type === 'object' // as above
}
