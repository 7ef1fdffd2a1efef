import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { listTools } from '../../../../engines/tools/registry'
import { WARNINGS } from '../../../../engines/types'
import { listEndpoints, PATH_ERRORS } from '../../../../lib/docs/endpoints'
import { ERROR_ENTRIES, errorBodySchema, writeExampleBody } from '../../../../lib/docs/errors'
import { writeSchemaComponents } from '../../../../lib/docs/json-schema'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'
import { WARNING_ADVICE } from '../../../../lib/docs/warnings'
import { ERROR_STATUS, type ErrorCode } from '../../../../lib/errors'
import { listOperations } from '../../../../lib/operations/all'

interface Operation {
  operationId: string
  parameters: unknown
  requestBody: {
    content: Record<string, { schema: unknown; examples?: Record<string, { value: Record<string, unknown> }> }>
  }
  responses: Record<
    string,
    { headers: Record<string, unknown>; content: Record<string, { examples?: Record<string, unknown> }> }
  >
}

const ORIGIN = 'https://api.example.com'
const document = JSON.parse(JSON.stringify(writeOpenApi(ORIGIN, { OPERATOR_EMAIL: undefined, MAX_FILES: 100 }))) as {
  info: Record<string, unknown>
  tags: unknown
  paths: Record<string, { post?: Operation; get?: unknown }>
  servers: unknown
  components: { schemas: Record<string, unknown> }
}
const operations = Object.entries(document.paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []))
const codes = Object.keys(ERROR_STATUS) as ErrorCode[]

describe('the OpenAPI document', () => {
  it('has every operation of the service at its path, each with a unique ID', () => {
    expect(operations.map(({ path }) => path)).toEqual(listOperations().map(({ id }) => `/api/external/${id}`))
    const ids = operations.map(({ post }) => post.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('rotatePdf')
    expect(ids.every(id => /^[a-z][A-Za-z]+$/.test(id))).toBe(true)
  })

  it('says how to reach the operator', () => {
    const contact = (OPERATOR_EMAIL?: string) =>
      (writeOpenApi(ORIGIN, { OPERATOR_EMAIL, MAX_FILES: 100 })['info'] as { contact: unknown }).contact
    expect(contact()).toEqual({ name: 'Sheaf', url: `${ORIGIN}/docs` })
    expect(contact('operator@example.com')).toMatchObject({ email: 'operator@example.com' })
  })

  it('describes every tag', () => {
    expect(document.tags).toEqual(
      ['PDF tools', 'Web pages and invoices', 'Pipelines', 'Account'].map(name => ({
        name,
        description: expect.stringMatching(/\.$/),
      })),
    )
  })

  it('has the free request for the balance', () => {
    const { get } = document.paths['/api/external/credits'] ?? {}
    expect(get).toMatchObject({ operationId: 'getCredits', tags: ['Account'] })
    const { responses } = get as Pick<Operation, 'responses'> // as the line above has it
    expect(Object.keys(responses)).toEqual(['200', '401', '405', '429', '500', '503'])
    expect(responses['200']?.content['application/json']?.examples).toMatchObject({
      balance: { value: { creditBalance: 42 } },
    })
  })

  it('has no Idempotency-Key that an importer would send with every request, but says how to use one', () => {
    expect(JSON.stringify(operations)).not.toContain('IdempotencyKey')
    expect(document.info['description']).toContain('`Idempotency-Key`')
  })

  it('has the preference about unknown fields, with the headers that come back', () => {
    for (const { post } of operations) {
      expect(post.parameters).toEqual([{ $ref: '#/components/parameters/Prefer' }])
      for (const response of Object.values(post.responses))
        expect(Object.keys(response.headers)).toEqual(
          expect.arrayContaining(['Preference-Applied', 'X-Unknown-Fields']),
        )
    }
  })

  it('names its server', () => {
    expect(document.servers).toEqual([{ url: ORIGIN }])
  })

  it('resolves every reference', () => {
    const references = listValues(document).flatMap(({ key, value }) => (key === '$ref' ? [String(value)] : []))
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter(reference => lookUp(reference) === undefined)).toEqual([])
  })

  it('contains no internal properties of zod', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('$schema')
    expect(text).not.toContain('$defs')
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('accepts every request as a form and as JSON', () => {
    for (const { post } of operations)
      expect(Object.keys(post.requestBody.content)).toEqual(['multipart/form-data', 'application/json'])
  })

  it('lists the credits, the name and the warnings of a response with a file', () => {
    for (const { post } of operations) {
      expect(Object.keys(post.responses['200']?.headers ?? {})).toEqual(
        expect.arrayContaining([
          'X-Request-Id',
          'X-Credits-Charged',
          'X-Credit-Balance',
          'Content-Disposition',
          'X-Warnings',
          'Server-Timing',
          'Idempotent-Replayed',
          'Cache-Control',
          'X-Content-Type-Options',
        ]),
      )
    }
  })

  it('lists every status that an operation can fail with, with an example of each code', () => {
    for (const { path, post } of operations) {
      const operation = listOperations().find(({ id }) => path === `/api/external/${id}`)
      const failures = Object.entries(post.responses).filter(([status]) => status !== '200')
      const named = failures.flatMap(([status, { content }]) =>
        Object.keys(content['application/json']?.examples ?? {}).map(code => ({ status: Number(status), code })),
      )
      expect(named.every(({ status, code }) => ERROR_STATUS[code as ErrorCode] === status)).toBe(true)
      expect(named.map(({ code }) => code)).toEqual(
        expect.arrayContaining([
          operation?.refusalCode,
          operation?.failureCode,
          'invalid_api_key',
          'insufficient_credits',
          'not_found',
          'method_not_allowed',
        ]),
      )
    }
  })

  it('says that a request can be repeated only if the service allows it', () => {
    const responses = operations[0]?.post.responses ?? {}
    const withRetry = Object.keys(responses).filter(status =>
      Object.hasOwn(responses[status]?.headers ?? {}, 'Retry-After'),
    )
    expect(withRetry).toEqual(['409', '429', '503'])
  })

  it('requires the options of a tool only if one of them is required', () => {
    const schema = (path: string, type: string) =>
      // The body of a tool.
      document.paths[path]?.post?.requestBody.content[type]?.schema as { required?: string[]; oneOf?: unknown }
    const [rotate, merge] = ['/api/external/pdf-tools/rotate-pdf', '/api/external/pdf-tools/merge-pdf']
    expect(schema(rotate, 'multipart/form-data').required).toEqual(['file', 'options'])
    expect(schema(merge, 'multipart/form-data').required).toEqual(['files'])
    expect(schema(merge, 'application/json').required).toEqual(['files'])
    expect(schema(rotate, 'application/json').oneOf).toMatchObject([
      { required: ['file', 'options'] },
      { required: ['files', 'options'] },
    ])
  })
})

describe('the documentation of requests', () => {
  it('has a page for every operation and every tool', () => {
    const slugs = listEndpoints().map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(slugs).toEqual(expect.arrayContaining(listTools().map(({ id }) => id)))
    expect(slugs.length).toBe(listOperations().length)
  })

  it('describes every option and every field', () => {
    for (const { slug, schema, formSchema } of listEndpoints()) {
      for (const one of formSchema ? [schema, formSchema] : [schema]) {
        const { schemas } = writeSchemaComponents(one, 'any')
        const undescribed = listValues(schemas).flatMap(({ key, value }) =>
          key === 'properties'
            ? Object.entries(value as Record<string, { description?: string }>)
                .filter(([, { description }]) => !description)
                .map(([name]) => `${slug}: ${name}`)
            : [],
        )
        expect(undescribed).toEqual([])
      }
    }
  })
})

describe('the documentation of errors and warnings', () => {
  it('has an entry for every code, and for no other', () => {
    expect(Object.keys(ERROR_ENTRIES).sort()).toEqual([...codes].sort())
  })

  it.each(codes)('shows the actual response body of %s', code => {
    expect(errorBodySchema.strict().safeParse(writeExampleBody(code, ORIGIN)).error).toBeUndefined()
    expect(ERROR_ENTRIES[code].cause).toMatch(/\.$/)
    expect(ERROR_ENTRIES[code].fix).toMatch(/\.$/)
  })

  it('names an operation for every code', () => {
    const placed = new Set([...PATH_ERRORS, ...listEndpoints().flatMap(({ errors }) => errors)])
    expect(codes.filter(code => !placed.has(code))).toEqual([])
  })

  it('has an entry for every warning, and for no other', () => {
    expect(Object.keys(WARNING_ADVICE).sort()).toEqual(Object.keys(WARNINGS).sort())
  })
})

describe('a schema in OpenAPI', () => {
  it('becomes a component, and shared parts become separate components', () => {
    const box = z.strictObject({ x: z.int() }).meta({ id: 'Box' })
    const { ref, schemas } = writeSchemaComponents(z.object({ from: box, to: box }), 'Both')
    expect(ref).toEqual({ $ref: '#/components/schemas/Both' })
    expect(schemas['Both']).toMatchObject({
      properties: { from: { $ref: '#/components/schemas/Both.Box' }, to: { $ref: '#/components/schemas/Both.Box' } },
    })
    expect(schemas['Both.Box']).toMatchObject({ properties: { x: { type: 'integer' } }, additionalProperties: false })
    expect(JSON.stringify(schemas)).not.toContain('9007199254740991')
  })

  it('may contain itself', () => {
    const node = z.object({
      get children() {
        return z.array(node)
      },
    })
    const { schemas } = writeSchemaComponents(node, 'Node')
    expect(JSON.stringify(schemas)).toContain('"items":{"$ref":"#/components/schemas/Node"}')
  })

  it('keeps properties that are named like keywords of JSON Schema', () => {
    const { schemas } = writeSchemaComponents(z.object({ maximum: z.string(), $schema: z.string() }), 'Odd')
    expect(Object.keys(schemas['Odd']?.properties ?? {})).toEqual(['maximum', '$schema'])
  })
})

function listValues(value: unknown): { key: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [{ key, value: item }, ...listValues(item)])
}

function lookUp(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined),
      document,
    )
}
