import packageJson from '../../../package.json'
import { MOST_REPLAYS } from '../../credits/ledger'
import type { Config } from '../../config'
import { describeOtherResponse, listEndpoints, PATH_ERRORS, type Endpoint } from '../endpoints'
import { ERROR_ENTRIES, errorBodySchema, listErrorCodes, writeExampleBody } from '../errors'
import { referTo, writeSchemaComponents, type JsonSchema } from '../json-schema'
import { listBodySchemas, writeFileInput, writeRequestContent } from './request-body'
import { describeContent, writeErrorResponses, writeHeaders } from './responses'
import { RESPONSE_HEADERS, listResponseHeaders, type ResponseHeader } from '../response-headers'
import * as z from 'zod'
import type { ErrorCode } from '../../errors'

/** Any part of an OpenAPI document. */
export type Part = Record<string, unknown>

/** The settings of a server that its OpenAPI document shows. */
export type OpenApiSettings = Pick<Config, 'OPERATOR_EMAIL' | 'MAX_FILES'>

/** The tags of operations, with what each holds. */
const TAGS: Record<string, string> = {
  'PDF tools': 'Change PDF files: merge, split, rotate, number, redact and more.',
  'Web pages and invoices': 'Create PDF files from web pages, HTML and invoice data.',
  Pipelines: 'Run several steps in one request.',
  Account: 'Read the balance of your account.',
}

/**
 * Returns the OpenAPI 3.1 document of all operations. `origin` is the scheme, host and port of the server. Throws an
 * Error for an operation whose tag has no description.
 */
export function writeOpenApi(origin: string, settings: OpenApiSettings): Part {
  const endpoints = listEndpoints()
  return {
    openapi: '3.1.0',
    info: writeInfo(origin, settings),
    servers: [{ url: origin }],
    externalDocs: { description: 'Documentation', url: `${origin}/docs` },
    security: [{ apiKey: [] }],
    tags: writeTags([...endpoints.map(({ tag }) => tag), ...CREDITS_OPERATION.tags]),
    paths: {
      ...Object.fromEntries(
        endpoints.map(endpoint => [endpoint.path, { post: writeOperation(endpoint, origin, settings) }]),
      ),
      [CREDITS_PATH]: { get: CREDITS_OPERATION },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'The API key of your account, `sheaf_live_…`. Send it from servers only. A browser shows it to its ' +
            'users.',
        },
      },
      parameters: { Prefer: PREFER },
      headers: Object.fromEntries(RESPONSE_HEADERS.map(header => [header.name, writeHeader(header)])),
      examples: Object.fromEntries(
        listErrorCodes().map(code => [
          code,
          { summary: ERROR_ENTRIES[code].cause, value: writeExampleBody(code, origin) },
        ]),
      ),
      schemas: listSchemas(endpoints),
    },
  }
}

/** `Idempotency-Key` is described in words: importers of collections would send one value of a parameter with every request. */
function writeInfo(origin: string, { OPERATOR_EMAIL }: OpenApiSettings): Part {
  return {
    title: 'Sheaf',
    version: packageJson.version,
    description: [
      'Send your files in one POST request, and get the finished file back. A successful request costs 1 credit. A ' +
        'failed request costs nothing.',
      '**Retries.** Every POST endpoint takes the optional header `Idempotency-Key`, 1 to 255 printable ASCII ' +
        'characters. Use a new value for each new request, and send it with the first request, too. Within 24 hours, ' +
        `you can repeat a paid request up to ${MOST_REPLAYS} times for free with the same value. See ` +
        `[Idempotency](${origin}/docs/idempotency).`,
    ].join('\n\n'),
    contact: {
      name: 'Sheaf',
      url: `${origin}/docs`,
      ...(OPERATOR_EMAIL === undefined ? {} : { email: OPERATOR_EMAIL }),
    },
  }
}

function writeTags(tags: string[]): Part[] {
  return [...new Set(tags)].map(name => {
    const description = TAGS[name]
    if (description === undefined)
      throw new Error(`The tag ${name} has no description. Add it to lib/docs/openapi/document.ts`)
    return { name, description }
  })
}

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'How to treat unknown fields (RFC 7240). `handling=strict` rejects every unknown field. `handling=lenient` ' +
    'ignores all unknown fields, including misspelled ones and those inside `options`. Without this header, the API ' +
    'rejects unknown fields of `options` and fields that resemble a known one. It ignores all others.',
  schema: { type: 'string', enum: ['handling=strict', 'handling=lenient'] },
  example: 'handling=strict',
}

function listSchemas(endpoints: Endpoint[]): Record<string, JsonSchema> {
  const shared = {
    ...writeFileInput(),
    ...writeSchemaComponents(errorBodySchema, 'ErrorBody').schemas,
    ...writeSchemaComponents(creditsSchema, 'Credits').schemas,
  }
  const reports = endpoints.flatMap(({ report }) =>
    report ? [writeSchemaComponents(report.schema, report.name).schemas] : [],
  )
  return endpoints.reduce(
    (all, endpoint) => ({ ...all, ...listBodySchemas(endpoint) }),
    Object.assign(shared, ...reports),
  )
}

function writeOperation(endpoint: Endpoint, origin: string, { MAX_FILES }: OpenApiSettings): Part {
  const { slug, title, summary, tag, errors, responses: documentedResponses, otherResponses, report } = endpoint
  return {
    operationId: slug.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    summary: title,
    description: summary,
    externalDocs: { description: title, url: `${origin}/docs/${slug}` },
    tags: [tag],
    parameters: [{ $ref: '#/components/parameters/Prefer' }],
    requestBody: { required: true, content: writeRequestContent(endpoint, MAX_FILES) },
    responses: {
      200: {
        description: ['The finished file.', ...otherResponses.map(describeOtherResponse)].join(' '),
        headers: writeHeaders(listResponseHeaders(endpoint).filter(({ on }) => on !== 'error')),
        content: Object.fromEntries(
          [documentedResponses, ...otherResponses.map(({ contentType }) => contentType)].map(type => [
            type,
            { schema: type === 'application/json' && report ? referTo(report.name) : describeContent(type) },
          ]),
        ),
      },
      ...writeErrorResponses([...errors, ...PATH_ERRORS]),
    },
  }
}

function writeHeader({ meaning, example, when }: ResponseHeader): Part {
  return {
    description: when === undefined ? meaning : `${meaning} Present if ${when}.`,
    required: when === undefined,
    schema: { type: 'string' },
    example,
  }
}

/** The path of the balance. */
const CREDITS_PATH = '/api/external/credits'

/** The body of a response with the balance. */
const creditsSchema = z.object({
  creditBalance: z.int().describe('Balance of your account, in credits.'),
})

const ERRORS: ErrorCode[] = [
  'invalid_api_key',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

/** Headers that only responses about a request body have. */
const BODY_HEADERS = ['X-Warnings', 'X-Unknown-Fields', 'Preference-Applied']
const HEADERS = RESPONSE_HEADERS.filter(({ name }) => !BODY_HEADERS.includes(name))

/** The OpenAPI operation that returns the balance. */
const CREDITS_OPERATION = {
  operationId: 'getCredits',
  summary: 'Get the credit balance',
  description: 'Returns the balance of your account. This request is free.',
  tags: ['Account'],
  responses: {
    200: {
      description: 'The balance.',
      headers: writeHeaders(HEADERS.filter(({ on }) => on === 'all')),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Credits' },
          examples: { balance: { summary: 'A balance of 42 credits.', value: { creditBalance: 42 } } },
        },
      },
    },
    ...writeErrorResponses(ERRORS, HEADERS),
  },
}
