import type { z } from 'zod'
import { listKeys } from './schema-keys'

interface Place {
  value: unknown
  /** Names, with 0 for any element of an array. */
  path: readonly PropertyKey[]
  name: string
}

/**
 * Lists members of a value that its schema doesn't know, such as `billTo.fax` or `items.color`. Each is listed once, in
 * order of appearance. Values below an unknown name aren't checked.
 */
export function findUnknownFields(schema: z.core.$ZodType, root: unknown): string[] {
  const unknown = new Set<string>()
  const keysOf = new Map<string, ReadonlySet<string>>()
  const pending: Place[] = [{ value: root, path: [], name: '' }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value, path, name } = place
    if (Array.isArray(value)) {
      for (const element of value)
        if (typeof element === 'object') pending.push({ value: element, path: [...path, 0], name })
      continue
    }
    if (typeof value !== 'object' || value === null) continue
    const knownKeys = keysOf.get(name) ?? new Set(listKeys(schema, path))
    keysOf.set(name, knownKeys)
    for (const [key, member] of Object.entries(value)) {
      const memberName = name === '' ? key : `${name}.${key}`
      if (!knownKeys.has(key)) unknown.add(memberName)
      else if (typeof member === 'object') pending.push({ value: member, path: [...path, key], name: memberName })
    }
  }
  return [...unknown]
}
