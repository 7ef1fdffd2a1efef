import { expect, it } from 'vitest'
import { changeField, forgetEntries, listShownFields } from '../../../../../app/_ui/playground/form/applicable-fields'
import type { Field, Json, JsonObject } from '../../../../../app/_ui/playground/form/field-shapes'
import type { FieldCondition } from '../../../../../engines/options/form-hints'

const field = (name: string, appliesIf?: FieldCondition[], value?: Json): Field => ({
  name,
  label: name,
  isRequired: false,
  description: '',
  ...(value === undefined ? {} : { default: value }),
  ...(appliesIf ? { appliesIf } : {}),
  shape: { kind: 'text', isLong: false },
})

const fields = [
  field('mode', undefined, 'ranges'),
  field('ranges', [{ mode: ['ranges'] }]),
  field('every', [{ mode: ['every'] }]),
  field('hint', [{ every: 'set' }]),
  field('pages', [{ mode: { not: ['ranges'] } }]),
]
const shown = (values: JsonObject) =>
  listShownFields(fields, values, { path: [], problems: [] }).map(({ name }) => name)

it('shows a field only if it applies, with defaults for missing values', () => {
  expect(shown({})).toEqual(['mode', 'ranges'])
  expect(shown({ mode: 'every' })).toEqual(['mode', 'every', 'pages'])
  expect(shown({ mode: 'every', every: '2' })).toEqual(['mode', 'every', 'hint', 'pages'])
})

it('shows a field that does not apply if it has a value or a problem', () => {
  expect(shown({ every: '2' })).toEqual(['mode', 'ranges', 'every', 'hint'])
  const problems = [{ path: ['every'], message: 'is required.' }]
  expect(listShownFields(fields, {}, { path: [], problems }).map(({ name }) => name)).toContain('every')
})

it('leaves out values that no longer apply, also of fields that depend on them, and brings them back', () => {
  const shelf = new Map<string, Json>()
  const change = (values: JsonObject, name: string, value: Json | undefined) =>
    changeField({ fields, values, path: [], shelf, name, value })
  const every = { mode: 'every', every: '2', hint: 'a' }
  const count = change(every, 'mode', 'count')
  expect(count).toEqual({ mode: 'count' })
  expect(change(count, 'mode', 'every')).toEqual(every)
  expect(shelf.size).toBe(0)
  expect(change({ mode: 'pages', every: '3' }, 'every', '4')).toEqual({ mode: 'pages', every: '4' })
})

it('keeps apart the entries of lists, and forgets them if their positions change', () => {
  const shelf = new Map<string, Json>()
  const values = { mode: 'every', every: '2' }
  const change = (index: number) =>
    changeField({ fields, values, path: ['marks', index], shelf, name: 'mode', value: 'pages' })
  expect([change(0), change(1)]).toEqual([{ mode: 'pages' }, { mode: 'pages' }])
  expect([...shelf.keys()]).toEqual(['.marks[0].every', '.marks[1].every'])
  forgetEntries(shelf, ['marks'])
  expect(shelf.size).toBe(0)
})
