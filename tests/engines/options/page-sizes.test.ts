import { expect, it } from 'vitest'
import { PAGE_SIZE_NAMES, findPageSize } from '../../../engines/options/page-sizes'

it('finds sizes by name in any case, in portrait', () => {
  expect(findPageSize('letter')).toEqual({ width: 612, height: 792 })
  expect(findPageSize('TABLOID')).toEqual({ width: 792, height: 1224 })
  expect(findPageSize('a4')?.width).toBeCloseTo(595.276, 3)
  for (const name of PAGE_SIZE_NAMES)
    expect(findPageSize(name)?.height).toBeGreaterThan(findPageSize(name)?.width ?? Infinity)
})

it('finds no other names', () => {
  for (const name of ['Z9', '', 'constructor', '__proto__', 'A4 ']) expect(findPageSize(name)).toBeUndefined()
})
