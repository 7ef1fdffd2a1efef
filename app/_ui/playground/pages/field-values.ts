import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import type { FieldOnPage } from '../preview/pdf-messages'

/** Returns the entry of `fields` for a field: by its full name, or by its last part as the service allows. */
export function findEntry(values: Json | undefined, name: string): { key: string; value: Json } | undefined {
  if (!isJsonObject(values)) return undefined
  const lastPart = name.slice(name.lastIndexOf('.') + 1)
  const key = [name, lastPart].find(one => Object.hasOwn(values, one))
  return key === undefined ? undefined : { key, value: values[key] ?? null }
}

/** Returns `fields` with a value for a field. Undefined removes the value, so that the file's value stays. */
export function setEntry(values: Json | undefined, name: string, value: Json | undefined): JsonObject | undefined {
  const before = isJsonObject(values) ? values : {}
  const key = findEntry(before, name)?.key ?? name
  const entries = Object.entries(before).filter(([other]) => other !== key || value !== undefined)
  // `fromEntries` also creates names that an assignment would not.
  const next = Object.fromEntries(
    value === undefined || Object.hasOwn(before, key)
      ? entries.map(([other, one]): [string, Json] => [other, other === key && value !== undefined ? value : one])
      : [...entries, [key, value] as [string, Json]],
  )
  return Object.keys(next).length === 0 ? undefined : next
}

/** Returns the text that a text field or dropdown shows. */
export function shownText(field: FieldOnPage, value: Json | undefined): string {
  if (value === undefined) return field.value
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the labels that a dropdown or list shows as selected. */
export function shownChoices(field: FieldOnPage, value: Json | undefined): string[] {
  if (value === undefined) return field.choices.filter(({ isSelected }) => isSelected).map(({ label }) => label)
  const wanted = Array.isArray(value) ? value : [value]
  return wanted.filter(one => typeof one === 'string' || typeof one === 'number').map(String)
}

/** Returns whether a check box or radio button shows as on. `siblings` are all buttons of the field. */
export function isShownOn(field: FieldOnPage, value: Json | undefined, siblings: FieldOnPage[]): boolean {
  if (value === undefined) return field.isChecked
  if (field.type === 'checkbox') return value === true || value === field.exportValue
  return value === buttonValue(field, siblings) || value === field.exportValue || value === `#${field.position + 1}`
}

/** Returns the value that selects a radio button: its export value, or its position if several share a value. */
export function buttonValue(field: FieldOnPage, siblings: FieldOnPage[]): string {
  const sameValue = siblings.filter(({ exportValue }) => exportValue === field.exportValue)
  return field.exportValue === '' || sameValue.length > 1 ? `#${field.position + 1}` : field.exportValue
}
