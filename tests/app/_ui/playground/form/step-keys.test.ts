import { expect, test } from 'vitest'
import { followSteps, keepStepKey, keyOfStep } from '../../../../../app/_ui/playground/form/step-keys'

const merge = { tool: 'merge-pdf' }
const numbers = { tool: 'page-numbers', options: { position: 'top-left' } }
const compress = { tool: 'compress-pdf' }
const problem = { path: ['steps', 1, 'options', 'position'], param: 'steps[1].options.position', message: 'is wrong' }

test('a step keeps its key when it moves or changes', () => {
  expect(keyOfStep(merge)).toBe(keyOfStep(merge))
  expect(keyOfStep({ tool: 'merge-pdf' })).not.toBe(keyOfStep(merge))
  expect(keyOfStep(keepStepKey(numbers, { tool: 'page-numbers' }))).toBe(keyOfStep(numbers))
})

test('a problem follows its step, and has no place once the step is removed', () => {
  const sent = [merge, numbers, compress]
  const placesIn = (shown: (typeof merge)[]) => followSteps([problem], { sent, shown }).map(({ path }) => path)
  const changed = keepStepKey(numbers, { tool: 'page-numbers' }) as typeof merge
  expect(placesIn([merge, compress, changed])).toEqual([['steps', 2, 'options', 'position']])
  expect(placesIn([merge, compress])).toEqual([undefined])
  // Typed again as JSON.
  expect(placesIn([{ tool: 'merge-pdf' }, { tool: 'page-numbers' }])).toEqual([problem.path])
})

test('other problems stay where they are', () => {
  const others = [
    { path: ['outputName'], message: 'is wrong' },
    { path: undefined, message: 'is wrong' },
  ]
  expect(followSteps(others, { sent: [merge, numbers], shown: [numbers, merge] })).toEqual(others)
})
