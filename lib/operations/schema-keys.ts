import * as z from 'zod'
import { readFormHints } from '../../engines/options/form-hints'

/**
 * Lists the keys that an object at this path of a schema may have, over all branches of its unions. Never lists
 * `__proto__`.
 */
export function listKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(schemasAt(schema, path).flatMap(one => (isObject(one) ? Object.keys(one._zod.def.shape) : [])))]
}

/** Lists the top-level keys whose values are arrays. */
export function listArrayKeys(schema: z.ZodObject): string[] {
  return Object.keys(schema.shape).filter(key =>
    schemasAt(schema, [key]).some(one => (one as Definition)._zod.def.type === 'array'),
  )
}

/** Returns whether the schema lists the keys of objects at this path. A record accepts any key, for example. */
export function hasFixedKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const schemas = schemasAt(schema, path)
  return schemas.some(isObject) && !schemas.some(acceptsAnyKey)
}

/** Returns whether the schema itself refuses unknown keys of objects at this path. */
export function isStrict(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  return schemasAt(schema, path).some(one => isObject(one) && one._zod.def.catchall?._zod.def.type === 'never')
}

/** Returns whether the value at this path is a secret, or is inside one. Errors never repeat its value. */
export function isSecret(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let schemas = [schema]
  for (const key of path) {
    schemas = schemas.flatMap(unwrap).flatMap(current => childSchemas(current, key))
    if (schemas.flatMap(one => [one, ...unwrap(one)]).some(isMarkedSecret)) return true
  }
  return false
}

function isMarkedSecret(schema: z.core.$ZodType): boolean {
  return readFormHints(z.globalRegistry.get(schema) ?? {}).isSecret === true
}

function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType[] {
  let schemas = unwrap(schema)
  for (const key of path) schemas = schemas.flatMap(current => childSchemas(current, key)).flatMap(unwrap)
  return schemas
}

type Definition = z.core.$ZodTypes

const unwrappedSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType[]>()

/** Unwraps a schema. A union becomes its branches. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const unwrapped = unwrappedSchemas.get(schema) ?? unwrapOnce(schema)
  unwrappedSchemas.set(schema, unwrapped)
  return unwrapped
}

function unwrapOnce(schema: z.core.$ZodType): z.core.$ZodType[] {
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

/** Returns the schemas of a member of an object, a record or an array. Any number stands for each element. */
export function childSchemas(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
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

function acceptsAnyKey(schema: z.core.$ZodType): boolean {
  return ['record', 'map', 'any', 'unknown'].includes((schema as Definition)._zod.def.type) // as above
}
