import { expect, it } from 'vitest'
import * as z from 'zod'
import { pagesOption } from '../../../engines/options/schemas'
import { describeOptions } from '../../../lib/docs/describe'

const rows = (schema: z.ZodObject) => describeOptions(schema)
const row = (schema: z.ZodType) => rows(z.object({ it: schema.describe('Words.') }))[0]

it('returns name, type, bounds and whether an option is required', () => {
  expect(row(z.string().min(1).max(120))).toEqual({
    name: 'it',
    type: 'string',
    values: [],
    bounds: '1 to 120 characters',
    isRequired: true,
    description: 'Words.',
  })
  expect(row(z.int().min(-5))).toMatchObject({ type: 'integer', bounds: 'at least -5' })
  expect(row(z.number().gt(0).lt(1))).toMatchObject({ type: 'number', bounds: 'more than 0 and less than 1' })
  expect(row(z.boolean().optional())).toMatchObject({ type: 'boolean', isRequired: false })
})

it('leaves out bounds that the description states, and absurd ones', () => {
  const bounds = (schema: z.ZodType, description: string) =>
    rows(z.object({ it: schema.describe(description) }))[0]?.bounds
  expect(bounds(z.number().min(3).max(14_400), 'From 3 to 14,400 points.')).toBeUndefined()
  expect(bounds(z.number().gt(0).max(1_000_000), 'Must be more than 0.')).toBeUndefined()
  expect(bounds(z.number().min(-1_000_000).max(1_000_000), 'Left edge.')).toBeUndefined()
  expect(bounds(z.int().min(0).max(1_000_000_000), 'Pages to skip.')).toBe('at least 0')
  expect(bounds(z.int().min(1).max(60), 'Seconds, at most 60.')).toBe('at least 1')
  expect(bounds(z.number().gt(0).max(1_000_000), 'Height. At least 3 points.')).toBeUndefined()
  expect(bounds(z.number().min(0).max(0.1), 'Share. Has at most 2,000 letters.')).toBe('0 to 0.1')
  expect(bounds(z.int().min(1).max(6), 'Level 1 is the top.')).toBe('1 to 6')
  expect(bounds(z.number().min(1).max(200), 'Points. Default: what fits, at most 24.')).toBe('1 to 200')
  expect(bounds(z.array(z.string()).max(50), 'Selectors, at most 50.')).toBeUndefined()
  expect(bounds(z.union([z.number(), z.string().max(40).regex(/mm$/)]), 'Length.')).toBeUndefined()
  expect(bounds(z.string().max(40).regex(/^#/), 'Color.')).toBe('at most 40 characters')
})

it('lists the only allowed values, and the default', () => {
  expect(row(z.enum(['ranges', 'every']).default('ranges'))).toMatchObject({
    type: 'string',
    values: ['"ranges"', '"every"'],
    default: '"ranges"',
    isRequired: false,
  })
  expect(row(z.literal([90, 180, 270]))).toMatchObject({ type: 'number', values: ['90', '180', '270'] })
  expect(row(z.literal('only'))).toMatchObject({ type: 'string', values: ['"only"'] })
})

it('describes a choice between kinds as one option', () => {
  expect(row(pagesOption('Pages.'))).toMatchObject({
    type: 'array of integers or string',
    bounds: '1 to 20,000 entries',
  })
})

it('says of lists in lists which entries each of them has', () => {
  const schema = z.array(z.union([z.string(), z.array(z.union([z.int(), z.string()])), z.null()]))
  expect(row(schema)).toMatchObject({
    type: 'array (each entry: string, an array of integers or strings, or null)',
  })
})

it("lists the members of an object, or of an array's entries, after it", () => {
  const part = z.strictObject({ start: z.int().describe('First.'), end: z.int().optional().describe('Last.') })
  const schema = z.object({
    box: z.object({ x: z.number().describe('Left.') }).describe('Box.'),
    ranges: z.array(z.union([part, z.string()])).describe('Parts.'),
  })
  expect(rows(schema).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['box', 'object', true],
    ['box.x', 'number', true],
    ['ranges', 'array of objects or strings', true],
    ['ranges[].start', 'integer', true],
    ['ranges[].end', 'integer', false],
  ])
})

it('says that a member is required only if every form of the object requires it', () => {
  const [rate, amount] = [z.number().describe('Share.'), z.number().describe('Amount.')]
  const schema = z.object({
    discount: z.union([z.number(), z.object({ rate }), z.object({ amount })]).describe('Discount.'),
    parts: z.array(z.union([z.object({ rate, amount }), z.object({ rate })])).describe('Parts.'),
  })
  expect(rows(schema).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['discount', true],
    ['discount.rate', false],
    ['discount.amount', false],
    ['parts', true],
    ['parts[].rate', true],
    ['parts[].amount', false],
  ])
})

it('ends with a schema that contains itself', () => {
  const node = z.object({
    get inner() {
      return node.optional().describe('Another one.')
    },
  })
  expect(rows(node).length).toBeLessThan(20)
})
