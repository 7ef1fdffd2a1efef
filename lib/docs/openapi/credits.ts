import * as z from 'zod'
import type { ErrorCode } from '../../errors'
import { writeErrorResponses, writeHeaders } from './responses'
import { RESPONSE_HEADERS } from '../response-headers'

/** The path of the balance. */
export const CREDITS_PATH = '/api/external/credits'

/** The body of a response with the balance. */
export const creditsSchema = z.object({
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
export const CREDITS_OPERATION = {
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
