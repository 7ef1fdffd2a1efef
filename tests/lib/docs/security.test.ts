import { expect, it } from 'vitest'
import { SECURITY_PROMISES } from '../../../lib/docs/security'
import { describeRuns, listTrials, TRIALS } from '../../../lib/docs/trials'
import { SCENARIOS } from '../../hostile/chaos/scenarios'

const names = SCENARIOS.map(({ name }) => name)

it.each(SECURITY_PROMISES)('existing chaos scenarios test the promise against «$against»', ({ chaosParts }) => {
  for (const part of chaosParts)
    expect(
      names.filter(name => name === part || name.startsWith(`${part}-`)),
      part,
    ).not.toEqual([])
})

it('every chaos scenario tests a promise', () => {
  const parts = SECURITY_PROMISES.flatMap(({ chaosParts }) => chaosParts)
  expect(names.filter(name => !parts.some(part => name === part || name.startsWith(`${part}-`)))).toEqual([])
})

it('lists existing scenarios, with their own descriptions', () => {
  for (const { part, description } of TRIALS.trials)
    expect(SCENARIOS.find(({ name }) => name === part)?.description).toBe(description)
})

it('lists a series of scenarios as one, with the share of the series that ran', () => {
  const series = { name: 'files', description: 'all files', count: 10 }
  const makePart = (number: number, passed: number) => ({
    part: `files-${number}`,
    description: 'some files',
    series,
    runs: [{ database: 'pglite', share: 1, date: `2026-01-0${number + 1}`, passed, checks: 4 }],
  })
  const [told, ...others] = listTrials([makePart(0, 4), makePart(1, 3), makePart(2, 4)])
  expect(others).toEqual([])
  expect(told && [told.part, told.description, describeRuns(told)]).toEqual([
    'files',
    'all files',
    'PGlite: 11/12, at 30% of full scale (2026-01-03)',
  ])
  const [whole] = listTrials(Array.from({ length: 10 }, (_, number) => makePart(number % 9, 4)))
  expect(whole && describeRuns(whole)).toBe('PGlite: 40/40 (2026-01-09)')
})
