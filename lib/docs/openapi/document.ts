import packageJson from '../../../package.json'
import { ERROR_STATUS, type ErrorCode } from '../../errors'
import { RESPONSE_HEADERS, type ResponseHeader, listResponseHeaders, RETRY_CODES } from '../response-headers'
import { type DocumentedCall, listDocumentedCalls } from '../documented-calls'
import { ERROR_ENTRIES, errorBodySchema, listErrorCodes, writeExampleBody } from '../errors'
import { type JsonSchema, writeSchemaComponents } from '../json-schema'
import { fileInputSchema, listBodySchemas, writeRequestContent } from './request-body'

/** Any part of an OpenAPI document. */
export type Part = Record<string, unknown>

/** Returns the OpenAPI 3.1 document of all operations. `origin` is the scheme, host and port of the server. */
export function writeOpenApi(origin: string): Part {
  const calls = listDocumentedCalls()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sheaf',
      version: packageJson.version,
      description:
        'One POST in, one finished file out. A call that works costs 1 credit, a call that fails costs none.',
    },
    servers: [{ url: origin }],
    externalDocs: { description: 'The documentation', url: `${origin}/docs` },
    security: [{ apiKey: [] }],
    tags: [...new Set(calls.map(({ group }) => group))].map(name => ({ name })),
    paths: Object.fromEntries(calls.map(call => [call.path, { post: writeOperation(call) }])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The key of the account area, `sheaf_live_…`. For servers only: keys have no place in browsers.',
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: Object.fromEntries(RESPONSE_HEADERS.map(header => [header.name, writeHeader(header)])),
      examples: Object.fromEntries(
        listErrorCodes().map(code => [code, { summary: ERROR_ENTRIES[code].cause, value: writeExampleBody(code) }]),
      ),
      schemas: listSchemas(calls),
    },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Printable ASCII. The same request sent again with the same key within 24 hours, after the first one worked, ' +
    'is worked again and costs nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-4711',
}

function listSchemas(calls: DocumentedCall[]): Record<string, JsonSchema> {
  const shared = {
    ...writeSchemaComponents(fileInputSchema, 'FileInput').schemas,
    ...writeSchemaComponents(errorBodySchema, 'ErrorBody').schemas,
  }
  return calls.reduce((all, call) => ({ ...all, ...listBodySchemas(call) }), shared)
}

function writeOperation(call: DocumentedCall): Part {
  const { slug, title, summary, group, errors, responses: documentedResponses, otherResponses } = call
  return {
    operationId: slug.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    summary: title,
    description: summary,
    tags: [group],
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: writeRequestContent(call) },
    responses: {
      200: {
        description: [
          'The finished file.',
          ...otherResponses.map(({ contentType, when }) => `${contentType} ${when}.`),
        ].join(' '),
        headers: writeHeaders(listResponseHeaders(call).filter(({ on }) => on !== 'error')),
        content: Object.fromEntries(
          [documentedResponses, ...otherResponses.map(({ contentType }) => contentType)].map(type => [
            type,
            { schema: describeContent(type) },
          ]),
        ),
      },
      ...writeFailures(errors),
    },
  }
}

function describeContent(type: string): JsonSchema {
  if (type === 'application/json') return {}
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

/** Returns one response for each status, with an example of each code. */
function writeFailures(codes: ErrorCode[]): Record<string, Part> {
  const statuses = [...new Set(codes.map(code => ERROR_STATUS[code]))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map(status => {
      const ofStatus = codes.filter(code => ERROR_STATUS[code] === status)
      const isRetried = ofStatus.some(code => RETRY_CODES.includes(code))
      return [
        String(status),
        {
          description: ofStatus.map(code => `\`${code}\`: ${ERROR_ENTRIES[code].cause}`).join('\n\n'),
          headers: writeHeaders(
            RESPONSE_HEADERS.filter(
              ({ name, on }) =>
                on !== 'file' && (name !== 'Retry-After' || isRetried) && (name !== 'Allow' || status === 405),
            ),
          ),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ErrorBody' },
              examples: Object.fromEntries(ofStatus.map(code => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ]
    }),
  )
}

function writeHeaders(headers: ResponseHeader[]): Part {
  return Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]))
}

function writeHeader({ meaning, example, when }: ResponseHeader): Part {
  return {
    description: when === undefined ? meaning : `${meaning} Present when ${when}.`,
    required: when === undefined,
    schema: { type: 'string' },
    example,
  }
}
