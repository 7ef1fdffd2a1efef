import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'

const document = () => writeOpenApi('https://sheaf.test', { OPERATOR_EMAIL: 'operator@example.com', MAX_FILES: 100 })

/** The findings of Redocly with the rules that it recommends, as `rule: message`. */
async function lint(written: Record<string, unknown>): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(written),
    absoluteRef: 'https://sheaf.test/openapi.json',
    config,
  })
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

it('has nothing that Redocly finds, except that Sheaf names no license', async () => {
  expect(await lint(document())).toEqual(['info-license: Info object should contain `license` field.'])
})

it('is judged by a linter that finds a wrong example, a missing description and an unused component', async () => {
  const faulty = JSON.parse(JSON.stringify(document())) as {
    tags: { description?: string }[]
    paths: Record<string, { get?: { responses: Record<string, { content: Record<string, { examples: unknown }> }> } }>
    components: { schemas: Record<string, unknown> }
  }
  delete faulty.tags[0]?.description
  const ok = faulty.paths['/api/external/credits']?.get?.responses['200']?.content['application/json']
  if (ok) ok.examples = { wrong: { value: { creditBalance: 'many' } } }
  faulty.components.schemas['Unused'] = { type: 'object' }
  const rules = (await lint(faulty)).map(problem => problem.split(':')[0])
  expect(rules).toEqual(
    expect.arrayContaining(['tag-description', 'no-invalid-media-type-examples', 'no-unused-components']),
  )
})
