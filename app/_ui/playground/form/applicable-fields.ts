import { type FieldPath, keyOf, type PlacedProblem, problemsAt, withMember } from './field-path'
import type { FieldCondition } from '../../../../engines/options/form-hints'
import type { Field, Json, JsonObject } from './field-shapes'

/** Values of fields that don't apply at the moment, by the key of their path. They aren't sent. */
export type Shelf = Map<string, Json>

/** Returns whether a field applies beside these values. */
export function applies({ appliesIf }: Field, fields: readonly Field[], values: JsonObject): boolean {
  return appliesIf === undefined || appliesIf.some(condition => isMet(condition, fields, values))
}

function isMet(condition: FieldCondition, fields: readonly Field[], values: JsonObject): boolean {
  return Object.entries(condition).every(([name, wanted]) => {
    if (wanted === 'set') return values[name] !== undefined
    if (wanted === 'unset') return values[name] === undefined
    const value = values[name] ?? fields.find(field => field.name === name)?.default
    const includes = (list: readonly unknown[]) => list.includes(value)
    return 'not' in wanted ? !includes(wanted.not) : includes(wanted)
  })
}

/**
 * Returns the fields to show: those that apply, and those that have a value or a problem anyway, for example because
 * they were typed as JSON.
 */
export function listShownFields(
  fields: readonly Field[],
  values: JsonObject,
  { path, problems }: { path: FieldPath; problems: readonly PlacedProblem[] },
): Field[] {
  return fields.filter(
    field =>
      applies(field, fields, values) ||
      values[field.name] !== undefined ||
      problemsAt(problems, [...path, field.name], true).length > 0,
  )
}

interface FieldChange {
  fields: readonly Field[]
  values: JsonObject
  path: FieldPath
  shelf: Shelf
  name: string
  value: Json | undefined
}

/**
 * Sets a field. Values of fields that no longer apply move to the shelf, so that the request doesn't contain them. They
 * come back as soon as their field applies again.
 */
export function changeField({ fields, values, path, shelf, name, value }: FieldChange): JsonObject {
  let next = withMember(values, name, value)
  // A field that leaves or returns can decide about others. Each pass settles at least one field.
  for (let pass = 0; pass < fields.length; pass++) next = settle({ fields, before: values, values: next, path, shelf })
  return next
}

function settle({
  fields,
  before,
  values,
  path,
  shelf,
}: Pick<FieldChange, 'fields' | 'values' | 'path' | 'shelf'> & { before: JsonObject }): JsonObject {
  for (const field of fields) {
    const [appliedBefore, appliesNow] = [applies(field, fields, before), applies(field, fields, values)]
    const key = keyOf([...path, field.name])
    const value = values[field.name]
    if (value !== undefined && appliedBefore && !appliesNow) {
      shelf.set(key, value)
      return withMember(values, field.name, undefined)
    }
    const shelved = shelf.get(key)
    if (value === undefined && shelved !== undefined && appliesNow && !appliedBefore) {
      shelf.delete(key)
      return withMember(values, field.name, shelved)
    }
  }
  return values
}

/** Forgets the values of all entries of a list, because their positions change. */
export function forgetEntries(shelf: Shelf, path: FieldPath): void {
  for (const key of shelf.keys()) if (key.startsWith(`${keyOf(path)}[`)) shelf.delete(key)
}
