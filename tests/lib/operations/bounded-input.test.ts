import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { dateFormatProblem } from '../../../engines/options/date-format'
import { listTools } from '../../../engines/tools/registry'
import { invoiceSchema } from '../../../engines/features/invoice/input/invoice-schema'
import { pageOptions } from '../../../engines/webpage/request/options'
import { readConfig } from '../../../lib/config'
import { listOperations } from '../../../lib/operations/all'
import { pipelineFields } from '../../../lib/operations/step-schema'
import { describeIssues } from '../../../lib/operations/problems'
import { readFormValues } from '../../../lib/operations/form-values'
import { validate } from '../../../lib/operations/validate'
import { placeSingleton } from '../../../lib/registry'
import { DEFAULT_HINTS } from '../../support/field-hints'

beforeAll(() => placeSingleton('config', readConfig({})))

const SCHEMAS: [string, z.core.$ZodType][] = [
  ...listTools().map(({ id, options }): [string, z.core.$ZodType] => [id, options]),
  ['webpage', pageOptions],
  ['invoice', invoiceSchema],
  ['pipeline', pipelineFields],
]

/** Lists texts, arrays and records whose size isn't checked first. */
function findUnbounded(schema: z.core.$ZodType, path: string, seen = new Set<unknown>(), isCounted = false): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod
  const below = (child: z.core.$ZodType, name = '') => findUnbounded(child, path + name, seen, isCounted)
  switch (def.type) {
    case 'string':
    case 'array': {
      const isFirst = (def.checks ?? []).some(
        (check, index) =>
          ['max_length', 'length_equals'].includes(check._zod.def.check) &&
          (def.type === 'array' || (index === 0 && (check._zod.def as { abort?: boolean }).abort === true)),
      )
      const own = isFirst ? [] : [`${path} (${def.type})`]
      return def.type === 'array' ? [...own, ...below(def.element, '[]')] : own
    }
    case 'object':
      return Object.entries(def.shape).flatMap(([key, child]) => below(child, `.${key}`))
    case 'record':
      return [...(isCounted ? [] : [`${path} (record)`]), ...below(def.keyType, '{}'), ...below(def.valueType, '{}')]
    case 'union':
      return def.options.flatMap(option => below(option))
    case 'pipe':
      // A function before a record counts its members.
      return [
        ...below(def.in),
        ...findUnbounded(def.out, path, seen, isCounted || (def.in as z.core.$ZodTypes)._zod.def.type === 'transform'),
      ]
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return below(def.innerType)
    default:
      return []
  }
}

describe('the schemas of requests', () => {
  it.each(SCHEMAS)('check sizes first: %s', (id, schema) => {
    expect(findUnbounded(schema, id)).toEqual([])
  })

  it('include those of all operations', () => {
    expect(listOperations()).toHaveLength(SCHEMAS.length)
  })
})

describe('a long text', () => {
  it.each([
    [
      'header-footer',
      { headerText: 'a', dateFormat: '['.repeat(40_000) },
      'must have at most 60 characters. Got 40000.',
    ],
    ['rotate-pdf', { angle: 90, pages: '1,'.repeat(40_000) }, 'must have at most 2000 characters. Got 80000.'],
  ])('of %s reaches no pattern', async (id, options, message) => {
    const schema = listTools().find(tool => tool.id === id)?.options ?? z.never()
    const { problems } = await validate(schema, options, { name: 'options' })
    expect(problems?.map(problem => problem.message)).toEqual([message])
  })

  it('of digits in a form isn’t a number', () => {
    const text = `${'1'.repeat(65_000)}x`
    expect(readFormValues({ waitDelay: text, hideSelectors: [text, text] }, pageOptions)).toEqual({
      waitDelay: text,
      hideSelectors: [text, text],
    })
  })

  it('of brackets is a date format of single characters', () => {
    expect(dateFormatProblem('['.repeat(40_000))).toBeUndefined()
  })

  it('as a data: URL returns an error', async () => {
    const logo = `data:image/png${';'.repeat(15_000_000)}`
    const { problems } = await validate(invoiceSchema.shape.logo, logo, { name: 'logo' })
    expect(problems?.[0]?.message).toMatch(/^isn't an image\. Send it as/)
  })
})

describe('an input with many errors', () => {
  const toolOf = (id: string) => listTools().find(tool => tool.id === id)?.options ?? z.never()
  const numbered = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))

  it.each([
    ['rotate-pdf', numbered(4000, 1)],
    ['rotate-pdf', { angle: 90, pages: Array.from({ length: 20_000 }, () => 'x') }],
    ['form-filler', { fields: numbered(4000, {}) }],
    ['pdf-redaction', { areas: Array.from({ length: 5000 }, () => ({ x: 'a', unit: 'b' })) }],
  ])('of %s ends after 20 problems', async (id, options) => {
    const { problems = [] } = await validate(toolOf(id), options, { name: 'options' })
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)?.message).toBe('and more errors')
  })

  it('isn’t read to the end', async () => {
    let reads = 0
    const element = z.custom(() => {
      reads++
      return false
    })
    await validate(z.object({ list: z.array(element).max(10_000) }), { list: Array(10_000).fill(1) }, { name: '' })
    expect(reads).toBeLessThan(100)
  })

  it('describes no more issues than it shows', () => {
    let described = 0
    const input = new Proxy({}, { getOwnPropertyDescriptor: () => (described++, undefined) })
    const issues = Array.from({ length: 5000 }, (_, index) => ({
      code: 'invalid_type' as const,
      expected: 'string' as const,
      path: [`k${index}`],
      message: 'Invalid input',
    }))
    expect(describeIssues(issues, { schema: z.object({}), input, name: '' })).toHaveLength(21)
    expect(described).toBeLessThan(100)
  })

  it('has a count first if it is a record', async () => {
    const { problems } = await validate(pageOptions, { extraHeaders: numbered(4000, 'a') }, { name: '' })
    expect(problems?.map(({ message }) => message)).toEqual(['must have at most 32 headers.'])
  })
})

describe('a redaction rule', () => {
  it('is compiled by engine processes only', async () => {
    const operation = listOperations().find(({ id }) => id === 'pdf-tools/pdf-redaction')
    const file = { field: 'file', name: 'a.pdf', chunks: [Buffer.from('a')], byteLength: 1 }
    const fields = { options: { search: [{ regex: '(' }] } }
    expect(await operation?.parse({ encoding: 'json', fields, files: [file] }, DEFAULT_HINTS)).toBeDefined()
  })
})
