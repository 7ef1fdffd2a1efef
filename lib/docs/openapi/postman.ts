import { describeExampleFields } from '../request-examples'
import { type Endpoint, listEndpoints } from '../endpoints'

/** A field of a form in a collection. Postman asks for the file of an empty `src`. */
type FormField =
  | { key: string; type: 'text'; value: string }
  | { key: string; type: 'file'; src: string[]; description: string }

/** A request of a collection. */
interface PostmanItem {
  name: string
  request: {
    method: 'POST'
    header: { key: string; value: string }[]
    url: { raw: string; host: string[]; path: string[] }
    description: string
    body: { mode: 'formdata'; formdata: FormField[] } | { mode: 'raw'; raw: string; options: object }
  }
}

/** Returns a Postman collection (format 2.1) with a request for each documented example. */
export function writePostmanCollection(origin: string): object {
  const endpoints = listEndpoints()
  return {
    info: {
      name: 'Sheaf',
      description: 'Set the variable `apiKey` of this collection to your API key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: origin },
      { key: 'apiKey', value: '' },
    ],
    item: [...new Set(endpoints.map(({ group }) => group))].map(group => ({
      name: group,
      item: endpoints
        .filter(endpoint => endpoint.group === group)
        .map(endpoint => ({ name: endpoint.title, description: endpoint.summary, item: describeExamples(endpoint) })),
    })),
  }
}

function describeExamples(endpoint: Endpoint): PostmanItem[] {
  const { path, summary, examples } = endpoint
  return examples.map(({ title, options }) => ({
    name: title,
    request: {
      method: 'POST',
      header: [],
      url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
      description: summary,
      body: describeBody(endpoint, options),
    },
  }))
}

function describeBody(endpoint: Endpoint, options: unknown): PostmanItem['request']['body'] {
  const { field, names, texts } = describeExampleFields(endpoint, options)
  if (field === undefined)
    return { mode: 'raw', raw: JSON.stringify(options, null, 2), options: { raw: { language: 'json' } } }
  return {
    mode: 'formdata',
    formdata: [
      ...names.map(name => ({ key: field, type: 'file' as const, src: [], description: `Such as ${name}.` })),
      ...Object.entries(texts).map(([key, value]) => ({
        key,
        type: 'text' as const,
        value: typeof value === 'string' ? value : JSON.stringify(value),
      })),
    ],
  }
}
