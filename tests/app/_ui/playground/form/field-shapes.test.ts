import { expect, it } from 'vitest'
import {
  emptyValue,
  findChoice,
  fits,
  readRgb,
  type FieldShape,
} from '../../../../../app/_ui/playground/form/field-shapes'

const size: FieldShape = {
  kind: 'object',
  fields: [{ name: 'width', label: 'Width', isRequired: true, description: '', shape: { kind: 'number' } }],
}
const share: FieldShape = {
  kind: 'object',
  fields: [{ name: 'rate', label: 'Rate', isRequired: true, description: '', shape: { kind: 'number' } }],
}
const union: FieldShape = {
  kind: 'union',
  choices: [
    { title: 'text', shape: { kind: 'text', isLong: false } },
    { title: 'width', shape: size },
    { title: 'rate', shape: share },
  ],
}

it('shows only values that a control keeps unchanged', () => {
  expect(fits({ kind: 'pages' }, [1, 2])).toBe(true)
  expect(fits({ kind: 'pages' }, [1, '2-3'])).toBe(false)
  expect(fits({ kind: 'choice', choices: [{ value: 90, label: '90°' }] }, '90')).toBe(false)
  expect(fits({ kind: 'number' }, 'ninety')).toBe(true) // The service refuses this value.
  expect(fits({ kind: 'color' }, { r: 1, g: 2, b: 3 })).toBe(true)
  expect(readRgb({ r: 200, g: 0, b: 30 })).toBe('#c8001e')
  expect(fits({ kind: 'color' }, { r: 1, g: 2, b: 300 })).toBe(false)
  expect(fits(union, true)).toBe(false)
  expect(fits(size, [1])).toBe(false)
})

it('finds the shape of a value by its member names', () => {
  expect(findChoice(union.choices, 'A4')).toBe(0)
  expect(findChoice(union.choices, { rate: 0.1 })).toBe(2)
  expect(findChoice(union.choices, { width: 3 })).toBe(1)
  expect(findChoice(union.choices, true)).toBe(0)
})

it('begins a row with a value of its shape', () => {
  for (const shape of [
    size,
    union,
    { kind: 'pages' },
    { kind: 'choice', choices: [{ value: 'a', label: 'A' }] },
    { kind: 'list', item: size },
    { kind: 'file' },
    { kind: 'switch' },
  ] satisfies FieldShape[]) {
    expect(fits(shape, emptyValue(shape))).toBe(true)
  }
})
