import { expect, it } from 'vitest'
import { DOCUMENT_GROUPS, TRAP_GROUPS } from './all-groups'
import { expectTraps } from './expect-traps'

expectTraps(DOCUMENT_GROUPS)

it('there are at least 60 constructions and 200 traps with unique names', () => {
  const all = TRAP_GROUPS.flatMap(({ constructions }) => constructions)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(all.reduce((sum, { variants }) => sum + variants, 0)).toBeGreaterThanOrEqual(200)
})
