import { expect, it } from 'vitest'
import { keyOf, parseParam, problemsAt, withMember } from '../../../../../app/_ui/playground/form/field-path'

it("reads the paths in the service's errors", () => {
  expect(parseParam('options.areas[0].x')).toEqual(['options', 'areas', 0, 'x'])
  expect(parseParam('items[12].rate')).toEqual(['items', 12, 'rate'])
  expect(parseParam('options.fields["a \\"b\\" [1]"].c')).toEqual(['options', 'fields', 'a "b" [1]', 'c'])
  expect(parseParam('what ever')).toBeUndefined()
})

it('gives different paths different keys', () => {
  const keys = [['a', 0], ['a', '0'], ['a.0'], ['a[0]'], ['a', '[0]']].map(keyOf)
  expect(new Set(keys).size).toBe(keys.length)
})

it('finds the problems of a field, and nested ones only on request', () => {
  const problems = [
    { path: ['ranges'], message: 'all' },
    { path: ['ranges', 0, 'start'], message: 'inside' },
    { path: ['rangesOf'], message: 'other' },
    { path: undefined, message: 'none' },
  ]
  expect(problemsAt(problems, ['ranges'], false).map(({ message }) => message)).toEqual(['all'])
  expect(problemsAt(problems, ['ranges'], true).map(({ message }) => message)).toEqual(['all', 'inside'])
})

it('sets and removes a member without moving the others', () => {
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'b', 9))).toEqual(['a', 'b', 'c'])
  expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
})
