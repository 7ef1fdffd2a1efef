import { expect, it } from 'vitest'
import { SECURITY_PROMISES } from '../../../lib/docs/security'
import { TRIALS } from '../../../lib/docs/trials'
import { CHAPTERS } from '../../hostile/chaos/chapters'

const names = CHAPTERS.map(({ name }) => name)

it.each(SECURITY_PROMISES)('the promise against «$against» is tried by parts of the chaos that exist', ({ chaosParts }) => {
  for (const part of chaosParts) expect(names.filter(name => name === part || name.startsWith(`${part}-`)), part).not.toEqual([])
})

it('every part of the chaos tries a promise', () => {
  const parts = SECURITY_PROMISES.flatMap(({ chaosParts }) => chaosParts)
  expect(names.filter(name => !parts.some(part => name === part || name.startsWith(`${part}-`)))).toEqual([])
})

it('tells of parts that exist, in the words of what they ask', () => {
  for (const { part, asks } of TRIALS.trials) expect(CHAPTERS.find(({ name }) => name === part)?.asks).toBe(asks)
})
