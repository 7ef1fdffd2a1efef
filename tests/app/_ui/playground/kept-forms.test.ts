import { afterEach, expect, test, vi } from 'vitest'
import type { Field } from '../../../../app/_ui/playground/form/field-shapes'
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
