import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { checkFields, type FieldHints } from '../../../lib/operations/check-fields'
import { findResemblingName } from '../../../lib/operations/resembling-name'
import type { BodyFile } from '../../../lib/body/body'

const schema = z.object({
  name: z.string(),
  taxRate: z.number().optional(),
  rows: z.array(z.object({ count: z.number(), taxRate: z.number().optional() })).optional(),
  part: z.union([z.number(), z.object({ size: z.number() })]).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  options: z.strictObject({ angle: z.number().optional() }).optional(),
})
const known = { schema, names: ['data'], fileFields: ['file', 'files'], optionsKey: 'options' }
const file = (field: string, otherMembers?: string[]): BodyFile => ({
  field,
  name: 'a.pdf',
  chunks: [],
  byteLength: 0,
  ...(otherMembers && { otherMembers }),
})

const check = (fields: Record<string, unknown>, hints: Partial<FieldHints> = {}, files: BodyFile[] = []) =>
  checkFields({ fields, files }, known, { handling: 'default', query: [], ...hints })

describe('a name resembles a known one', () => {
  it.each([
    ['landscpae', 'landscape'],
    ['lanscape', 'landscape'],
    ['Tax_Rate', 'taxRate'],
    ['tax-rates', 'taxRate'],
    ['option', 'options'],
    ['optons', 'options'],
    ['optnois', 'options'],
    ['files[]', 'files'],
    ['options[angle]', 'options'],
    ['options.angle', 'options'],
    ['from[name]', 'from'],
    ['rwo', 'row'],
    ['totl', 'total'],
  ])('%s → %s', (name, nearest) => {
    const names = ['landscape', 'taxRate', 'options', 'files', 'from', 'row', 'total']
    expect(findResemblingName(name, names)).toBe(nearest)
  })

  it.each(['customerReference', 'rooww', 'to', 'x', '', '[]', 'l'.repeat(5000)])('%s → none', name => {
    expect(findResemblingName(name, ['landscape', 'row', 'y', 'url', 'files'])).toBeUndefined()
  })
})

describe('an unknown field', () => {
  it('is ignored and named once if it resembles nothing', () => {
    const { fields, ignored, problems } = check({
      name: 'a',
      color: 'red',
      rows: [{ count: 1, weight: 1 }, { weight: 2 }, 7],
      part: { size: 1, extra: { deep: 1 } },
      headers: { 'x-anything': '1' },
    })
    expect(ignored).toEqual(['color', 'rows.weight', 'part.extra'])
    expect(problems).toEqual([])
    expect(JSON.parse(JSON.stringify(fields))).toEqual({
      name: 'a',
      rows: [{ count: 1 }, {}, 7],
      part: { size: 1 },
      headers: { 'x-anything': '1' },
    })
  })

  it('may have any name', () => {
    const { ignored } = check(
      JSON.parse('{"__proto__": 1, "constructor": {}, "größe, \\"x\\"": 1}') as Record<string, unknown>,
    )
    expect(ignored).toEqual(['__proto__', 'constructor', 'größe, "x"'])
  })

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['misspelled', { nmae: 'b' }, 'nmae', /^unknown field\. Did you mean "name"\?$/],
    ['misspelled in a list', { rows: [{ count: 1 }, { taxrate: 1 }] }, 'rows[1].taxrate', /"taxRate"/],
    [
      'an option beside the options',
      { angle: 90 },
      'angle',
      /is an option\. Send it inside "options": \{"angle": …\}\./,
    ],
    ['one level above its place', { size: 1 }, 'size', /one level down\. Send it as "part\.size"/],
    [
      'one level below its place',
      { part: { size: 1, taxRate: 2 } },
      'part.taxRate',
      /one level up\. Send it as "taxRate"/,
    ],
    ['in an object that is unknown', { settings: { taxRate: 1 } }, 'settings', /one level up, as "taxRate"/],
    ['with brackets', { 'options[angle]': 90 }, 'options[angle]', /Send "options" as JSON/],
    ['near a name beside the schema', { date: 1 }, 'date', /"data"/],
  ])('is refused if it is %s', (_, fields, param, message) => {
    expect(check(fields).problems).toEqual([{ param, message: expect.stringMatching(message) as string }])
    expect(check(fields, { handling: 'lenient' })).toMatchObject({ problems: [], ignored: [param.replace('[1]', '')] })
  })

  it('counts as not sent if it is null', () =>
    expect(check({ nmae: null, color: null })).toMatchObject({ ignored: [], problems: [] }))

  it('in the options is left to their schema, or ignored if the client wants that', () => {
    expect(check({ options: { angel: 1 } })).toMatchObject({ fields: { options: { angel: 1 } }, ignored: [] })
    const lenient = check({ options: { angel: 1, angle: 2 } }, { handling: 'lenient' })
    expect(lenient.ignored).toEqual(['options.angel'])
    expect(lenient.fields['options']).toEqual(Object.assign(Object.create(null), { angle: 2 }))
  })

  it('is always refused if the client wants that', () =>
    expect(check({ color: 'red' }, { handling: 'strict' }).problems).toEqual([
      {
        param: 'color',
        message: expect.stringMatching(/^unknown field\. Known fields are data, file, files, name/) as string,
      },
    ]))

  it('is refused if there are more than 1,000 different ones', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`unknown${index}`, 1]))
    const { ignored, problems } = check(fields)
    expect(ignored).toHaveLength(1000)
    expect(problems).toHaveLength(20)
    expect(problems[0]).toEqual({
      param: 'unknown1000',
      message: 'unknown field. A request may have at most 1,000 unknown fields.',
    })
    expect(check(fields, { handling: 'lenient' }).ignored).toHaveLength(100_000)
  })

  it('may be a file', () => {
    expect(check({}, {}, [file('flie')]).problems).toMatchObject([{ param: 'flie' }])
    expect(check({}, {}, [file('attachment'), file('file')])).toMatchObject({
      ignored: ['attachment'],
      files: [{ field: 'file' }],
      ignoredFiles: [{ field: 'attachment' }],
    })
  })

  it('may be a member of a file', () => {
    expect(check({}, {}, [file('files', ['files[1].mimeType'])]).ignored).toEqual(['files.mimeType'])
    expect(check({}, {}, [file('file', ['file.databas64'])]).problems).toMatchObject([{ param: 'file.databas64' }])
    expect(check({}, { handling: 'strict' }, [file('file', ['file.type'])]).problems).toHaveLength(1)
  })
})

describe('a name in the query string', () => {
  it.each([
    ['taxRate', /^is in the query string of the URL\. Send it in the body as "taxRate"\.$/],
    ['angle', /as "options\.angle"/],
    ['taxrate', /as "taxRate"/],
    ['options', /as "options"/],
  ])('%s is refused', (name, message) => {
    expect(check({}, { query: [name] }).problems).toEqual([
      { param: name, message: expect.stringMatching(message) as string },
    ])
    expect(check({}, { query: [name], handling: 'lenient' }).ignored).toEqual([name])
  })

  it('is ignored if no field has such a name', () => {
    expect(check({}, { query: ['utm_source'] })).toMatchObject({ ignored: ['utm_source'], problems: [] })
    expect(check({}, { query: ['utm_source'], handling: 'strict' }).problems).toHaveLength(1)
  })
})
