import { expect, it } from 'vitest'
import { listEndpoints } from '../../../../lib/docs/endpoints'
import { writePostmanCollection } from '../../../../lib/docs/openapi/postman'

interface Item {
  name: string
  item?: Item[]
  request?: {
    method: string
    url: { raw: string; path: string[] }
    body: { mode: string; raw?: string; formdata?: { key: string; type: string; value?: string }[] }
  }
}

const collection = writePostmanCollection('https://api.example.com') as { item: Item[]; variable: unknown[] }
const requests = collection.item.flatMap(({ item = [] }) =>
  item.flatMap(call => (call.item ?? []).flatMap(({ name, request }) => (request ? [{ name, request }] : []))),
)

it('has a request for each documented example, with its options', () => {
  const examples = listEndpoints().flatMap(call => call.examples.map(example => ({ call, example })))
  expect(requests).toHaveLength(examples.length)
  for (const { call, example } of examples) {
    const found = requests.find(({ name, request }) => name === example.title && request.url.raw.endsWith(call.path))
    expect(found?.request.method, example.title).toBe('POST')
    const { raw, formdata = [] } = found?.request.body ?? {}
    if (raw !== undefined) {
      expect(JSON.parse(raw)).toEqual(example.options)
      continue
    }
    expect(formdata.filter(({ type }) => type === 'file')).toHaveLength(call.sampleFiles.length)
    const texts = formdata.flatMap(field => (field.type === 'text' ? [[field.key, parseText(field.value)]] : []))
    const sent = Object.fromEntries(texts) as Record<string, unknown> // Entries have a key each.
    expect(call.optionsKey === undefined ? sent : (sent['options'] ?? {})).toEqual(example.options)
  }
})

it('asks for the server and the key as variables', () => {
  expect(collection.variable).toEqual([
    { key: 'baseUrl', value: 'https://api.example.com' },
    { key: 'apiKey', value: '' },
  ])
})

/** The value of a form field: JSON, or a text that isn't JSON. */
function parseText(text = ''): unknown {
  return /^[[{]|^(true|false)$/.test(text) ? JSON.parse(text) : text
}
