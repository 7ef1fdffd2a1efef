import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { firstRequestSamples } from '../../../app/_server/first-request'

const readme = readFileSync('README.md', 'utf8')

it.each(firstRequestSamples('http://127.0.0.1:3000').withVariable.slice(0, 1))(
  'the README shows the first request in $name as the site does',
  ({ text }) => {
    expect(readme).toContain(text)
  },
)

it('the README fits on three screens', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(120)
})
