import { expect, test } from 'vitest'
import { withoutExample } from '../../../../../app/_ui/playground/form/example-values'

const EXAMPLE = { password: 'swordfish', metadata: { author: 'Ada', title: 'Report' }, ranges: ['1-2', '3'] }

test('removes the values of an example, and keeps those that the visitor changed', () => {
  expect(withoutExample(EXAMPLE, EXAMPLE)).toEqual({})
  expect(withoutExample({ ...EXAMPLE, password: 'other' }, EXAMPLE)).toEqual({ password: 'other' })
  expect(withoutExample({ ...EXAMPLE, metadata: { author: 'Bo', title: 'Report' } }, EXAMPLE)).toEqual({
    metadata: { author: 'Bo' },
  })
  expect(withoutExample({ ...EXAMPLE, ranges: ['1-2'] }, EXAMPLE)).toEqual({ ranges: ['1-2'] })
  expect(withoutExample({ angle: 90 }, EXAMPLE)).toEqual({ angle: 90 })
})
