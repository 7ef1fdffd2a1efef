import type { z } from 'zod'
import { listKeys } from './schema-keys'

interface Place {
  value: unknown
  /** Names and, for elements of arrays, 0. */
  path: readonly PropertyKey[]
  name: string
}

/**
 * Names of the members of a value that its schema does not know, such as `billTo.fax` or `items.color`; each once, in
 * the order in which they are found. Values below an unknown name are not looked at.
 */
export function findUnknownFields(schema: z.core.$ZodType, root: unknown): string[] {
  const unknown = new Set<string>()
  const keysOf = new Map<string, ReadonlySet<string>>()
  const open: Place[] = [{ value: root, path: [], name: '' }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path, name } = place
    if (Array.isArray(value)) {
      for (const element of value)
        if (typeof element === 'object') open.push({ value: element, path: [...path, 0], name })
      continue
    }
    if (typeof value !== 'object' || value === null) continue
    const known = keysOf.get(name) ?? new Set(listKeys(schema, path))
    keysOf.set(name, known)
    for (const [key, member] of Object.entries(value)) {
      const own = name === '' ? key : `${name}.${key}`
      if (!known.has(key)) unknown.add(own)
      else if (typeof member === 'object') open.push({ value: member, path: [...path, key], name: own })
    }
  }
  return [...unknown]
}
