import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { firstCallSamples } from '../../../app/_server/first-call'
import { readConfig } from '../../../lib/config'

const readme = readFileSync('README.md', 'utf8')
const rows = new Map(
  [...readme.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = '', value = '', meaning = '']) => [
    name,
    { value, meaning },
  ]),
)
const config = readConfig({})

/** Variables whose default follows the machine. */
const BY_MACHINE = new Map([
  ['ENGINES', 'cores'],
  ['WEB_PAGES', '2 × cores'],
])

describe('the README', () => {
  it.each([...rows.keys()])('says of %s what it is without being set', name => {
    // The table's names are checked against the schema by tests/check-docs.mjs.
    const actual = (config as unknown as Record<string, string | number | undefined>)[name]
    const wanted = BY_MACHINE.get(name) ?? (actual === undefined ? 'unset' : String(actual))
    expect(rows.get(name)?.value).toBe(wanted)
    expect(rows.get(name)?.meaning).toMatch(/\.$/)
  })

  it('has the table of variables', () => {
    expect(rows.size).toBeGreaterThan(30)
  })

  it.each(firstCallSamples('http://127.0.0.1:3000').withVariable.slice(0, 3))(
    'shows the first call in $name as the site does',
    ({ text }) => {
      expect(readme).toContain(text)
    },
  )

  it('keeps its decisions short', () => {
    const decisions = readme.split('\n## Decisions\n')[1]?.split('\n### ').slice(1) ?? []
    expect(decisions.length).toBeGreaterThan(5)
    for (const decision of decisions) {
      expect(decision).toMatch(/\nContext: [^]+\nChoice: [^]+\nConsequence: [^]+\nWhat would change it: /)
      expect(decision.trim().split('\n').length).toBeLessThanOrEqual(10)
    }
  })
})
