import { ERROR_STATUS, type ErrorCode } from '../../errors'
import { ERROR_ENTRIES } from '../errors'
import type { JsonSchema } from '../json-schema'
import { RESPONSE_HEADERS, type ResponseHeader, RETRY_CODES } from '../response-headers'

type Part = Record<string, unknown>

/** Returns the schema of a response's content type. */
export function describeContent(type: string): JsonSchema {
  if (type === 'application/json') return {}
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

/** Returns one response for each status of the error codes, with an example of each code. */
export function writeErrorResponses(codes: ErrorCode[], headers = RESPONSE_HEADERS): Record<string, Part> {
  const statuses = [...new Set(codes.map(code => ERROR_STATUS[code]))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map(status => {
      const codesOfStatus = codes.filter(code => ERROR_STATUS[code] === status)
      const isRetried = codesOfStatus.some(code => RETRY_CODES.includes(code))
      return [
        String(status),
        {
          description: codesOfStatus.map(code => `\`${code}\`: ${ERROR_ENTRIES[code].cause}`).join('\n\n'),
          headers: writeHeaders(
            headers.filter(
              ({ name, on }) =>
                on !== 'file' && (name !== 'Retry-After' || isRetried) && (name !== 'Allow' || status === 405),
            ),
          ),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ErrorBody' },
              examples: Object.fromEntries(
                codesOfStatus.map(code => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ]
    }),
  )
}

/** Returns references to headers, by name. */
export function writeHeaders(headers: ResponseHeader[]): Part {
  return Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]))
}
