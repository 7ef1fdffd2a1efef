import { expect, it } from 'vitest'
import type { Field, FieldShape } from '../../../../../app/_ui/playground/form/field-shapes'
import { summarize } from '../../../../../app/_ui/playground/form/value-summary'

const field = (name: string, label: string, shape: FieldShape): Field => ({
  name,
  label,
  isRequired: false,
  description: '',
  shape,
})
const area: FieldShape = {
  kind: 'object',
  fields: [
    field('page', 'Page', { kind: 'number' }),
    field('text', 'Text', { kind: 'text', isLong: false }),
    field('unit', 'Unit', { kind: 'choice', choices: [{ value: 'mm', label: 'Millimeters' }] }),
    field('wholeWord', 'Whole words only', { kind: 'switch' }),
    field('cells', 'Cells', { kind: 'list', item: { kind: 'number' } }),
  ],
}

it('writes an entry of a list in one line', () => {
  expect(summarize(area, { page: 2, text: 'Jane\nDoe', unit: 'mm', wholeWord: true, cells: [1, 2] })).toBe(
    'Page 2 · Jane Doe · Unit Millimeters · Whole words only · Cells 2 entries',
  )
  expect(summarize(area, { wholeWord: false })).toBe('')
  expect(summarize(area, undefined)).toBe('')
  expect(summarize({ kind: 'pages' }, [1, 3])).toBe('1,3')
  expect(summarize({ kind: 'text', isLong: true }, 'x'.repeat(60))).toBe(`${'x'.repeat(40)}…`)
})
