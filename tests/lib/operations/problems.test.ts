import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { describeIssues } from '../../../lib/operations/problems'

const schema = z.strictObject({
  angle: z.literal([90, 180, 270]),
  pages: z.union([z.array(z.int().min(1)).min(1), z.string()]).optional(),
  position: z.enum(['bottom-center', 'top-left']).default('top-left'),
  ratio: z.number().gt(0).max(1).optional(),
  title: z.string().max(3).optional(),
  areas: z
    .array(z.strictObject({ page: z.int(), width: z.number(), replacementText: z.string().optional() }))
    .optional(),
  fill: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('color'), color: z.string() }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  fields: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  even: z.number().multipleOf(2).optional(),
  range: z
    .string()
    .regex(/^\d+-\d+$/, { error: 'has to be two page numbers, such as 2-5' })
    .optional(),
})

function mistakes(input: unknown): string[] {
  const parsed = schema.safeParse(input)
  return parsed.success
    ? []
    : describeIssues(parsed.error.issues, { schema, input, name: 'options' }).map(
        ({ param, message }) => `${param}: ${message}`,
      )
}

describe('an error in the options', () => {
  it.each([
    [{ angle: 45 }, 'options.angle: must be 90, 180 or 270. Got 45.'],
    [{ angle: '90' }, 'options.angle: must be the number 90, without quotes. Got "90".'],
    [{}, 'options.angle: is required and must be 90, 180 or 270.'],
    [{ angle: 90, angel: 1 }, 'options.angel: unknown option. Did you mean "angle"?'],
    [{ angle: 90, Pages: [1] }, 'options.Pages: unknown option. Did you mean "pages"?'],
    [{ angle: 90, pages: [0] }, 'options.pages[0]: must be at least 1. Got 0.'],
    [{ angle: 90, pages: [1, 1.5] }, 'options.pages[1]: must be a whole number. Got 1.5.'],
    [{ angle: 90, pages: ['one'] }, 'options.pages[0]: must be a number. Got "one".'],
    [{ angle: 90, pages: [] }, 'options.pages: must have at least 1 entry. Got 0.'],
    [{ angle: 90, pages: { a: 1 } }, 'options.pages: must be an array or a string. Got an object.'],
    [
      { angle: 90, pages: [Number.POSITIVE_INFINITY] },
      'options.pages[0]: must be a number. Got a number that is too large.',
    ],
    [
      { angle: 90, position: 'botom-center' },
      'options.position: must be bottom-center or top-left. Got "botom-center". Did you mean "bottom-center"?',
    ],
    [{ angle: 90, position: '__proto__' }, 'options.position: must be bottom-center or top-left. Got "__proto__".'],
    [{ angle: 90, ratio: 25 }, 'options.ratio: must be at most 1. Got 25.'],
    [{ angle: 90, ratio: 0 }, 'options.ratio: must be more than 0. Got 0.'],
    [{ angle: 90, title: 'long' }, 'options.title: must have at most 3 characters. Got 4.'],
    [{ angle: 90, title: 7 }, 'options.title: must be a string. Got 7.'],
    [{ angle: 90, areas: [{ page: 1 }] }, 'options.areas[0].width: is required and must be a number.'],
    [
      { angle: 90, areas: [{ page: 1, width: 2, replacmentText: '' }] },
      'options.areas[0].replacmentText: unknown field. Did you mean "replacementText"?',
    ],
    [
      { angle: 90, fill: { type: 'colour' } },
      'options.fill.type: must be color or none. Got "colour". Did you mean "color"?',
    ],
    [{ angle: 90, fields: { 'a b': 7 } }, 'options.fields["a b"]: must be a string or true or false. Got 7.'],
    [{ angle: 90, fields: 'all' }, 'options.fields: must be an object. Got "all".'],
    [{ angle: 90, even: 3 }, 'options.even: must be a multiple of 2. Got 3.'],
    [{ angle: 90, range: 'x' }, 'options.range: has to be two page numbers, such as 2-5'],
    [[], 'options: must be an object. Got an array.'],
    ['angle', 'options: must be an object. Got "angle".'],
  ])('in %j has a message with the allowed values', (input, expected) => {
    expect(mistakes(input)).toEqual([expected])
  })

  it('lists the known names if no name is close', () => {
    expect(mistakes({ angle: 90, zzzzzz: 1 })[0]).toMatch(
      /^options\.zzzzzz: unknown option\. Known options are angle, pages, .* and range\.$/,
    )
  })

  it('does not hide another error', () => {
    expect(mistakes({ angle: 45, angel: 1, ratio: 2 })).toHaveLength(3)
  })

  it('is counted if there are very many errors', () => {
    const problems = mistakes({ angle: 90, pages: Array(500).fill(0) })
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('options: and more errors')
  })

  it('is found in a key that objects inherit', () => {
    expect(
      mistakes(JSON.parse('{"angle":90,"__proto__":{"x":1},"constructor":1}')).map(problem => problem.split('. ')[0]),
    ).toEqual(['options.__proto__: unknown option', 'options.constructor: unknown option'])
  })

  it('is shortened if it is long', () => {
    expect(mistakes({ angle: 90, position: 'x'.repeat(5000) })[0]?.length).toBeLessThan(200)
  })
})
