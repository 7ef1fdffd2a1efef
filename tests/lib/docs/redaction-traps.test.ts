import { expect, it } from 'vitest'
import { countTraps, listConstructions, REDACTION_TRAPS } from '../../../lib/docs/redaction-traps'
import { TRAP_GROUPS } from '../../redaction-traps/all-groups'

it('lists every redaction trap of the tests (`node tests/redaction-traps/publish.mjs` updates the list)', () => {
  const told = REDACTION_TRAPS.groups.map(({ name, cause, constructions }) => ({
    name,
    cause,
    constructions: constructions.map(({ name, tried }) => ({ name, tried })),
  }))
  const made = TRAP_GROUPS.map(({ name, cause, constructions }) => ({
    name,
    cause,
    constructions: constructions.map(({ name, variants }) => ({ name, tried: variants })),
  }))
  expect(told).toEqual(made)
})

it('counts at least 200 traps over at least 60 constructions', () => {
  const { constructions, tried } = countTraps()
  expect(constructions).toBeGreaterThanOrEqual(60)
  expect(tried).toBeGreaterThanOrEqual(200)
})

it('adds up the counts of the constructions', () => {
  const group = {
    name: 'a',
    cause: 'b',
    constructions: [
      { name: 'one', tried: 3, verified: 2, leaked: 1 },
      { name: 'two', tried: 2, verified: 2, leaked: 0 },
    ],
  }
  expect(countTraps([group, group])).toEqual({ constructions: 4, tried: 10, verified: 8, leaked: 2 })
  expect(listConstructions(group)).toBe('one (3) · two (2)')
})
