import type { z } from 'zod'
import type { ErrorCode } from '../errors'

/** A header of a response. */
export interface ResponseHeader {
  name: string
  meaning: string
  example: string
  /** `file`: responses with a file. `error`: responses with an error body. `all`: both. */
  on: 'all' | 'file' | 'error'
  /** When the response has the header. Undefined means always. */
  when?: string
  /** Only requests with this option return the header. */
  option?: string
}

/** Every response header of the API, except those of HTTP itself. */
export const RESPONSE_HEADERS: ResponseHeader[] = [
  {
    name: 'X-Request-Id',
    on: 'all',
    meaning: 'The id of this request, made here; one that a client sends is not taken over.',
    example: 'req_5Kd0mVq2xRbT7LwYc9HsNe',
  },
  {
    name: 'X-Credits-Charged',
    on: 'all',
    when: 'the key was right',
    meaning: 'Credits that this call cost: 1 or 0.',
    example: '1',
  },
  {
    name: 'X-Credit-Balance',
    on: 'all',
    when: 'the key was right',
    meaning: 'Credits that the account has after this call.',
    example: '99',
  },
  {
    name: 'Content-Disposition',
    on: 'file',
    meaning: 'The download name, in ASCII and in UTF-8 (RFC 6266).',
    example: 'attachment; filename="report-rotated.pdf"; filename*=UTF-8\'\'report-rotated.pdf',
  },
  {
    name: 'X-Warnings',
    on: 'all',
    when: 'there is something to tell',
    meaning: 'What could not be kept or was adjusted, as codes separated by commas.',
    example: 'signatures-invalidated, repaired',
  },
  {
    name: 'X-Next-Number',
    on: 'file',
    option: 'bates',
    when: 'pages were numbered',
    meaning: 'The number that follows the last one, for the next file of a series.',
    example: '1206',
  },
  {
    name: 'X-OCR-Pages',
    on: 'file',
    option: 'outputFormat',
    when: 'text was to be recognized',
    meaning: 'Pages that were recognized; those whose own text was kept are not counted.',
    example: '3',
  },
  {
    name: 'X-OCR-Confidence',
    on: 'file',
    option: 'outputFormat',
    when: 'pages were recognized',
    meaning: 'Mean confidence of all recognized words, 0 to 100.',
    example: '94.7',
  },
  {
    name: 'X-Redactions-Applied',
    on: 'file',
    option: 'areas',
    when: 'something was to be redacted',
    meaning: 'Places that were redacted, by areas and by search rules together.',
    example: '7',
  },
  {
    name: 'X-Redaction-Verified',
    on: 'file',
    option: 'areas',
    when: 'something was to be redacted',
    meaning:
      '`true` if everything was checked and nothing is left; `false` if something could not be checked. See [what ' +
      '"verified" means](/docs/pdf-redaction#what-verified-means).',
    example: 'true',
  },
  {
    name: 'Idempotent-Replayed',
    on: 'file',
    when: 'the call repeats one that was paid for',
    meaning: 'Always `true`: the work was done again and cost nothing.',
    example: 'true',
  },
  {
    name: 'Server-Timing',
    on: 'all',
    when: 'a step was begun',
    meaning: 'Milliseconds that each step took (W3C Server Timing).',
    example: 'auth;dur=0.6, body;dur=2.1, parse;dur=0.2, wait;dur=0.0, charge;dur=0.8, work;dur=11.4',
  },
  { name: 'Cache-Control', on: 'all', meaning: 'Always `no-store`.', example: 'no-store' },
  { name: 'X-Content-Type-Options', on: 'all', meaning: 'Always `nosniff`.', example: 'nosniff' },
  {
    name: 'X-Unknown-Fields',
    on: 'all',
    when: 'fields were ignored',
    meaning:
      'Names of the fields that were ignored, percent-encoded and separated by commas. If they are longer than 4,096 ' +
      'characters, the last entry is `...`.',
    example: 'paperFormat, items.color',
  },
  {
    name: 'Preference-Applied',
    on: 'all',
    when: 'the request had `Prefer: handling`',
    meaning: 'How unknown fields were handled (RFC 7240).',
    example: 'handling=strict',
  },
  {
    name: 'Allow',
    on: 'error',
    when: 'the method was wrong',
    meaning: 'The method to use (RFC 9110).',
    example: 'POST',
  },
  {
    name: 'Retry-After',
    on: 'error',
    when: 'the same request may succeed later',
    meaning: 'Seconds to wait before the same request is sent again.',
    example: '5',
  },
]

/** Lists the headers of responses to an operation with these options. */
export function listResponseHeaders({ schema }: { schema: z.ZodObject }): ResponseHeader[] {
  return RESPONSE_HEADERS.filter(({ option }) => option === undefined || Object.hasOwn(schema.shape, option))
}

/** The error codes with `Retry-After`. */
export const RETRY_CODES: readonly ErrorCode[] = ['request_in_progress', 'rate_limited', 'service_unavailable']
