import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listTools } from '../../../../engines/pdf-tools/registry'
import { WARNINGS } from '../../../../engines/types'
import { listDocumentedCalls, PATH_ERRORS } from '../../../../lib/docs/documented-calls'
import { ERROR_ENTRIES, errorBodySchema, writeExampleBody } from '../../../../lib/docs/errors'
import { writeSchemaComponents } from '../../../../lib/docs/json-schema'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'
import { WARNING_ADVICE } from '../../../../lib/docs/warnings'
import { ERROR_STATUS, type ErrorCode } from '../../../../lib/errors'
import { listOperations } from '../../../../lib/operations/all'

interface Operation {
  operationId: string
  requestBody: {
    content: Record<string, { schema: unknown; examples?: Record<string, { value: Record<string, unknown> }> }>
  }
  responses: Record<
    string,
    { headers: Record<string, unknown>; content: Record<string, { examples?: Record<string, unknown> }> }
  >
}

const document = JSON.parse(JSON.stringify(writeOpenApi('https://api.example.com'))) as {
  paths: Record<string, { post: Operation }>
  servers: unknown
  components: { schemas: Record<string, unknown> }
}
const operations = Object.entries(document.paths).map(([path, { post }]) => ({ path, post }))
const codes = Object.keys(ERROR_STATUS) as ErrorCode[]

describe('the OpenAPI document', () => {
  it('has every operation of the service at its path, each with an id of its own', () => {
    expect(Object.keys(document.paths)).toEqual(listOperations().map(({ id }) => `/api/external/${id}`))
    const ids = operations.map(({ post }) => post.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('rotatePdf')
    expect(ids.every(id => /^[a-z][A-Za-z]+$/.test(id))).toBe(true)
  })

  it('names the server it is served by', () => {
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }])
  })

  it('resolves every reference', () => {
    const references = listValues(document).flatMap(({ key, value }) => (key === '$ref' ? [String(value)] : []))
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter(reference => lookUp(reference) === undefined)).toEqual([])
  })

  it('holds nothing that zod notes for itself', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('$schema')
    expect(text).not.toContain('$defs')
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('takes every call as a form and as JSON', () => {
    for (const { post } of operations)
      expect(Object.keys(post.requestBody.content)).toEqual(['multipart/form-data', 'application/json'])
  })

  it('tells the credits, the name and the warnings of an answer with a file', () => {
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

  it('gives every status that an operation can fail with, with an example of each code', () => {
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
        ]),
      )
    }
  })

  it('says when a request may be sent again only where the service does', () => {
    const responses = operations[0]?.post.responses ?? {}
    const withRetry = Object.keys(responses).filter(status =>
      Object.hasOwn(responses[status]?.headers ?? {}, 'Retry-After'),
    )
    expect(withRetry).toEqual(['409', '429', '503'])
  })

  it('shows examples that the operations accept as they stand', () => {
    for (const call of listDocumentedCalls()) {
      const post = document.paths[call.path]?.post
      const examples = Object.values(post?.requestBody.content['application/json']?.examples ?? {})
      expect(examples.length).toBe(call.examples.length)
      for (const { value } of examples) expect(parseJson(call, value).warnings).toEqual([])
    }
  })

  it('asks for the options of a tool only where it has some that must be given', () => {
    const schema = (path: string) =>
      // The body of a tool.
      document.paths[path]?.post.requestBody.content['application/json']?.schema as { required: string[] }
    expect(schema('/api/external/pdf-tools/rotate-pdf').required).toContain('options')
    expect(schema('/api/external/pdf-tools/merge-pdf').required).toEqual(['files'])
  })
})

describe('the documentation of calls', () => {
  it('has a page for every operation and every tool', () => {
    const slugs = listDocumentedCalls().map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(slugs).toEqual(expect.arrayContaining(listTools().map(({ id }) => id)))
    expect(slugs.length).toBe(listOperations().length)
  })

  it('describes every option and every field', () => {
    for (const { slug, schema, formSchema } of listDocumentedCalls()) {
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

  it.each(codes)('shows a body of %s as it is answered', code => {
    expect(errorBodySchema.strict().safeParse(writeExampleBody(code)).error).toBeUndefined()
    expect(ERROR_ENTRIES[code].cause).toMatch(/\.$/)
    expect(ERROR_ENTRIES[code].fix).toMatch(/\.$/)
  })

  it('leaves no code without a place where it can occur', () => {
    const placed = new Set([...PATH_ERRORS, ...listDocumentedCalls().flatMap(({ errors }) => errors)])
    expect(codes.filter(code => !placed.has(code))).toEqual([])
  })

  it('has an entry for every warning, and for no other', () => {
    expect(Object.keys(WARNING_ADVICE).sort()).toEqual(Object.keys(WARNINGS).sort())
  })
})

describe('a schema in OpenAPI', () => {
  it('becomes a component, and shared parts become components beside it', () => {
    const box = z.strictObject({ x: z.int() }).meta({ id: 'Box' })
    const { ref, schemas } = writeSchemaComponents(z.object({ from: box, to: box }), 'Both')
    expect(ref).toEqual({ $ref: '#/components/schemas/Both' })
    expect(schemas['Both']).toMatchObject({
      properties: { from: { $ref: '#/components/schemas/Both.Box' }, to: { $ref: '#/components/schemas/Both.Box' } },
    })
    expect(schemas['Both.Box']).toMatchObject({ properties: { x: { type: 'integer' } }, additionalProperties: false })
    expect(JSON.stringify(schemas)).not.toContain('9007199254740991')
  })

  it('may hold itself', () => {
    const node = z.object({
      get children() {
        return z.array(node)
      },
    })
    const { schemas } = writeSchemaComponents(node, 'Node')
    expect(JSON.stringify(schemas)).toContain('"items":{"$ref":"#/components/schemas/Node"}')
  })

  it('keeps properties that are called like words of JSON Schema', () => {
    const { schemas } = writeSchemaComponents(z.object({ maximum: z.string(), $schema: z.string() }), 'Odd')
    expect(Object.keys(schemas['Odd']?.properties ?? {})).toEqual(['maximum', '$schema'])
  })
})

function parseJson(
  { operation }: ReturnType<typeof listDocumentedCalls>[number],
  { file, files, ...fields }: Record<string, unknown>,
) {
  const toFile = (field: string) => (input: unknown) => {
    const { name, dataBase64 } = z.object({ name: z.string(), dataBase64: z.string() }).parse(input)
    const bytes = Buffer.from(dataBase64, 'base64')
    return { field, name, chunks: [bytes], byteLength: bytes.length }
  }
  const sent = [
    ...(file === undefined ? [] : [file].map(toFile('file'))),
    ...(Array.isArray(files) ? files.map(toFile('files')) : []),
  ]
  return operation.parse({ fields, files: sent })
}

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
