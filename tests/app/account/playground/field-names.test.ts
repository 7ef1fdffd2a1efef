import { expect, it } from 'vitest'
import { nameChoices, nameInWords } from '../../../../app/account/playground/field-names'
import { describePlaygroundEndpoint } from '../../../../app/account/playground/playground-endpoints'
import { applies } from '../../../../app/_ui/playground/form/applicable-fields'
import {
  type Field,
  type FieldShape,
  fits,
  isJsonObject,
  type Json,
} from '../../../../app/_ui/playground/form/field-shapes'
import { listEndpoints } from '../../../../lib/docs/endpoints'

const calls = listEndpoints().map(describePlaygroundEndpoint)

/** Lists all lists of fields in a shape, each with its path. */
function listGroups(shape: FieldShape, path: string): { path: string; fields: Field[] }[] {
  switch (shape.kind) {
    case 'object':
      return [
        { path, fields: shape.fields },
        ...shape.fields.flatMap(field => listGroups(field.shape, `${path}.${field.name}`)),
      ]
    case 'list':
      return listGroups(shape.item, `${path}[]`)
    case 'map':
      return listGroups(shape.value, `${path}{}`)
    case 'union':
      return shape.choices.flatMap(choice => listGroups(choice.shape, path))
    default:
      return []
  }
}

const groups = calls.flatMap(({ slug, fields }) => listGroups({ kind: 'object', fields }, slug))

/** Lists all shapes in a shape. */
function listShapes(shape: FieldShape): FieldShape[] {
  const inside =
    shape.kind === 'list'
      ? [shape.item]
      : shape.kind === 'map'
        ? [shape.value]
        : shape.kind === 'union'
          ? shape.choices.map(choice => choice.shape)
          : []
  return [shape, ...inside.flatMap(listShapes)]
}

it('writes names in words', () => {
  expect(nameInWords('fontSize')).toBe('Font size')
  expect(nameInWords('baseUrl')).toBe('Base URL')
  expect(nameInWords('dpi')).toBe('DPI')
  expect(nameInWords('top-left')).toBe('Top left')
  expect(nameInWords('3D')).toBe('3D')
  expect(nameChoices([90, true, 'odd'], { choices: { 90: '90°' }, aliases: ['odd'] })).toEqual([
    { value: 90, label: '90°' },
    { value: true, label: 'Yes' },
    { value: 'odd', label: 'Odd', isAlias: true },
  ])
})

it('has a label in words for every field and every value of every endpoint', () => {
  const fields = groups.flatMap(({ path, fields: own }) => own.map(field => ({ path: `${path}.${field.name}`, field })))
  expect(fields.length).toBeGreaterThan(300)
  for (const { path, field } of fields) {
    expect(field.label, path).toMatch(/^[A-Z\d]/)
    expect(field.label.length, path).toBeLessThanOrEqual(40)
    // No camel case, except in proper names.
    expect(field.label.replace(/\bIBANs?\b|\bIPv\d\b/g, ''), path).not.toMatch(/[a-z][A-Z]|[_`]/)
    for (const shape of listShapes(field.shape)) {
      if (shape.kind !== 'choice' && shape.kind !== 'choices') continue
      const labels = shape.choices.filter(choice => choice.isAlias !== true).map(choice => choice.label)
      expect(new Set(labels).size, path).toBe(labels.length)
      for (const label of labels) expect(label, path).toMatch(/^[A-Z\d\-aih]/)
    }
  }
})

it('names every alternative of a union', () => {
  for (const { path, fields } of groups) {
    for (const shape of fields.flatMap(field => listShapes(field.shape))) {
      if (shape.kind !== 'union') continue
      const titles = shape.choices.filter(choice => choice.shape.kind !== 'choice').map(({ title }) => title)
      for (const title of titles) expect(title, path).toMatch(/^[A-Z]|^data: URL$/)
      expect(new Set(titles).size, path).toBe(titles.length)
    }
  }
})

it('has conditions only on fields and values that exist', () => {
  let count = 0
  for (const { path, fields } of groups) {
    for (const { name, appliesIf = [] } of fields) {
      for (const [other, wanted] of appliesIf.flatMap(condition => Object.entries(condition))) {
        count += 1
        const field = fields.find(one => one.name === other)
        expect(field, `${path}.${name}: ${other}`).toBeDefined()
        const values = typeof wanted === 'string' ? [] : 'not' in wanted ? wanted.not : wanted
        for (const value of values)
          expect(field && fits(field.shape, value), `${path}.${name}: ${other} ${value}`).toBe(true)
      }
    }
  }
  expect(count).toBeGreaterThan(80)
})

it('shows every option of the examples, and of the requests that forms begin with', () => {
  const missing = (fields: Field[], value: Json, path: string): string[] => {
    if (!isJsonObject(value)) return []
    return fields.flatMap(field => {
      const own = value[field.name]
      if (own === undefined) return []
      const inside = listShapes(field.shape).flatMap(shape => {
        if (shape.kind !== 'object') return []
        return (Array.isArray(own) ? own : [own]).flatMap(entry =>
          missing(shape.fields, entry, `${path}.${field.name}`),
        )
      })
      return [...(applies(field, fields, value) ? [] : [`${path}.${field.name}`]), ...inside]
    })
  }
  for (const { slug, fields, examples, start } of calls)
    for (const { options } of [...examples, start]) expect(missing(fields, options, slug)).toEqual([])
})

it('shows a field beside the visible field on which it depends', () => {
  const split = calls.find(({ slug }) => slug === 'split-pdf')
  expect(split?.frontFields).toEqual(expect.arrayContaining(['mode', 'ranges', 'every', 'parts', 'level', 'maxBytes']))
  const flatten = calls.find(({ slug }) => slug === 'flatten-pdf')
  expect(flatten?.frontFields).toEqual(expect.arrayContaining(['rasterize', 'dpi']))
})
