import { afterEach, expect, test, vi } from 'vitest'
import type { Field, JsonObject } from '../../../../app/_ui/playground/form/field-shapes'
import { forgetKeptForms } from '../../../../app/_ui/forms/forget-kept-forms'
import { findKeptForm, keepForm } from '../../../../app/_ui/playground/kept-forms'

const field = (name: string, shape: Field['shape']): Field => ({
  name,
  label: name,
  isRequired: false,
  description: '',
  shape,
})
const SECRET = { kind: 'text', isLong: false, isSecret: true } as const
const FIELDS = [
  field('password', SECRET),
  field('title', { kind: 'text', isLong: false }),
  field('auth', { kind: 'object', fields: [field('password', SECRET), field('name', { kind: 'measure' })] }),
  field('keys', { kind: 'list', item: SECRET }),
  field('either', { kind: 'union', choices: [{ title: 'Secret', shape: SECRET }] }),
  field('headers', { kind: 'map', value: SECRET }),
]
const OPTIONS = {
  password: 'swordfish',
  title: 'Report',
  auth: { password: 'swordfish', name: 'ada' },
  keys: ['swordfish'],
  either: 'swordfish',
  headers: { 'X-Token': 'swordfish' },
}

/** Storage as in browsers: its keys are its own enumerable members. */
function stubStorage(): Record<string, unknown> {
  const storage: Record<string, unknown> = Object.create({
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => (storage[key] = value),
    removeItem: (key: string) => delete storage[key],
  })
  vi.stubGlobal('sessionStorage', storage)
  return storage
}

afterEach(() => vi.unstubAllGlobals())

test('a reload finds the options without secrets, and the names of the files', () => {
  const storage = stubStorage()
  keepForm('protect-pdf', FIELDS, { options: OPTIONS, files: [new File(['x'], 'own.pdf')] })
  expect(JSON.stringify(storage)).not.toContain('swordfish')
  expect(findKeptForm('protect-pdf')).toEqual({
    options: { title: 'Report', auth: { name: 'ada' }, keys: [], headers: {} },
    fileNames: ['own.pdf'],
  })
  expect(findKeptForm('merge-pdf')).toBeUndefined()
})

test('options of a step are kept once its form says which of them are secrets', async () => {
  const storage = stubStorage()
  const fetched = vi.fn((url: string) =>
    url.includes('protect-pdf')
      ? Promise.resolve(Response.json({ fields: FIELDS, frontFields: [] }))
      : Promise.reject(),
  )
  vi.stubGlobal('fetch', fetched)
  const text = field('files', { kind: 'text', isLong: false })
  const choices = [
    { slug: 'protect-pdf', title: 'Protect', member: 'tool' },
    { slug: 'webpage-to-pdf', title: 'Web page', member: 'webpage' },
  ] as const
  const steps = field('steps', { kind: 'steps', choices: [...choices], most: 20, files: text, as: text })
  const options: JsonObject = {
    steps: [
      { webpage: { html: 'swordfish' }, as: 'cover' },
      { tool: 'protect-pdf', options: { password: 'swordfish', title: 'Report' }, files: ['cover'] },
      { tool: 'no-such-tool', options: { password: 'swordfish' } },
    ],
  }
  keepForm('pipeline', [steps], { options, files: [] })
  const kept = (known: object) => [
    { webpage: {}, as: 'cover' },
    { tool: 'protect-pdf', ...known, files: ['cover'] },
    { tool: 'no-such-tool' },
  ]
  expect(findKeptForm('pipeline')?.options['steps']).toEqual(kept({}))
  await vi.waitFor(() =>
    expect(findKeptForm('pipeline')?.options['steps']).toEqual(kept({ options: { title: 'Report' } })),
  )
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(JSON.stringify(storage)).not.toContain('swordfish')
})

test('signing out forgets all forms, and nothing else', () => {
  const storage = stubStorage()
  storage['theme'] = 'dark'
  keepForm('merge-pdf', [], { options: {}, files: [] })
  forgetKeptForms()
  expect(Object.keys(storage)).toEqual(['theme'])
})

test('a browser without storage keeps nothing', () => {
  expect(() => keepForm('merge-pdf', [], { options: {}, files: [] })).not.toThrow()
  expect(findKeptForm('merge-pdf')).toBeUndefined()
})
