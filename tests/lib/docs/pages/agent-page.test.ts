import { expect, it } from 'vitest'
import { listEndpoints } from '../../../../lib/docs/endpoints'
import { describeOptions } from '../../../../lib/docs/describe'
import { MAX_AGENT_PAGE_BYTES, writeAgentPage } from '../../../../lib/docs/pages/agent-page'
import { readConfig } from '../../../../lib/config'
import { sample } from '../../../support/scope'

const context = { origin: 'https://pdf.example', config: readConfig({}) }

it.each(listEndpoints().map(call => [call.slug, call] as const))(
  'the pages about %s are short, and name every option',
  (slug, call) => {
    const names = describeOptions(call.schema).map(({ name }) => name.replaceAll('[]', ''))
    const parents = names.filter(name => names.some(other => other.startsWith(`${name}.`)))
    const pageOf = (path: string) => writeAgentPage(path, context) ?? ''
    for (const parent of ['', ...sample(parents, parent => parent.split('.').length)]) {
      const page = pageOf(parent === '' ? slug : `${slug}/${parent}`)
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(MAX_AGENT_PAGE_BYTES)
      const prefix = parent === '' ? '' : `${parent}.`
      for (const name of names.filter(one => one.startsWith(prefix)).map(one => one.slice(prefix.length)))
        if (!name.includes('.')) expect(page).toContain(`\`${name}\``)
    }
  },
)

it('shows the meaning of options and an example, and has no page for other names', () => {
  const page = writeAgentPage('rotate-pdf', context)
  expect(page).toContain('`angle` (0 | 90 | 180 | 270')
  expect(page).toMatch(/Example of options: `\{"/)
  expect(writeAgentPage('errors', context)).toContain('invalid_api_key')
  for (const other of ['quickstart', 'rotate-pdf/none', 'none', ''])
    expect(writeAgentPage(other, context)).toBeUndefined()
})
