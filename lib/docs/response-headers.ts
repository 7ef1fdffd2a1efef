import type * as z from 'zod'
import { writeContentDisposition } from '../content-disposition'
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
  /** Only endpoints with this option return the header. */
  option?: string
  /** Slugs of the endpoints that return the header. Undefined means any. */
  endpoints?: readonly string[]
}

/** Endpoints that recognize text and report how well. */
const RECOGNIZING = ['pdf-ocr', 'extract-text', 'images-to-pdf']

/** Every response header of the API, except those of HTTP itself. */
export const RESPONSE_HEADERS: ResponseHeader[] = [
  {
    name: 'X-Request-Id',
    on: 'all',
    meaning: 'ID of the request. Sheaf always creates it and ignores an ID that you send.',
    example: 'req_5Kd0mVq2xRbT7LwYc9HsNe',
  },
  {
    name: 'X-Credits-Charged',
    on: 'all',
    when: 'the API accepted your key',
    meaning: 'Credits that the request cost: 1 or 0.',
    example: '1',
  },
  {
    name: 'X-Credit-Balance',
    on: 'all',
    when: 'the API accepted your key',
    meaning: 'Balance of the account after the request.',
    example: '99',
  },
  {
    name: 'Content-Disposition',
    on: 'file',
    meaning: 'File name of the response, in ASCII and UTF-8 (RFC 6266).',
    example: 'attachment; filename="report-rotated.pdf"; filename*=UTF-8\'\'report-rotated.pdf',
  },
  {
    name: 'X-Warnings',
    on: 'all',
    when: 'there are warnings',
    meaning: '[Warnings](/docs/warnings), separated by commas.',
    example: 'signatures-invalidated, repaired',
  },
  {
    name: 'X-Page-Count',
    on: 'file',
    when: 'the file is a PDF',
    meaning: 'Number of pages of the file.',
    example: '3',
  },
  {
    name: 'X-Next-Number',
    on: 'file',
    option: 'bates',
    when: 'the endpoint numbers pages',
    meaning: 'First page number for the next file of a series.',
    example: '1206',
  },
  {
    name: 'X-Bytes-Before',
    on: 'file',
    option: 'targetBytes',
    when: 'the endpoint compresses',
    meaning: 'Size of the input file in bytes.',
    example: '1843200',
  },
  {
    name: 'X-Bytes-After',
    on: 'file',
    option: 'targetBytes',
    when: 'the endpoint compresses',
    meaning: 'Size of the response in bytes.',
    example: '412876',
  },
  {
    name: 'X-OCR-Pages',
    on: 'file',
    endpoints: RECOGNIZING,
    when: 'the endpoint recognizes text',
    meaning: 'Number of recognized pages. Pages that kept their original text do not count.',
    example: '3',
  },
  {
    name: 'X-OCR-Confidence',
    on: 'file',
    endpoints: RECOGNIZING,
    when: 'pages were recognized',
    meaning: 'Mean confidence of all recognized words, from 0 to 100.',
    example: '94.7',
  },
  {
    name: 'X-Redactions-Applied',
    on: 'file',
    option: 'areas',
    when: 'the endpoint redacts',
    meaning: 'Number of redactions, from areas and search rules together.',
    example: '7',
  },
  {
    name: 'X-Redaction-Verified',
    on: 'file',
    endpoints: ['pdf-redaction', 'pipeline'],
    when: 'the request redacts and the result is a PDF',
    meaning:
      "`true` if Sheaf completed its checks and found nothing. `false` if Sheaf couldn't check something. See [what " +
      '"verified" means](/docs/pdf-redaction#what-verified-means).',
    example: 'true',
  },
  {
    name: 'X-Pipeline-Steps',
    on: 'file',
    endpoints: ['pipeline'],
    when: 'the request has steps',
    meaning: 'Number of steps. The response also has the headers of the endpoint of the last step.',
    example: '3',
  },
  {
    name: 'X-Changes',
    on: 'file',
    option: 'sensitivity',
    when: 'the endpoint compares files',
    meaning: 'Number of changes. 0 means that the files are equal under the options.',
    example: '12',
  },
  {
    name: 'X-Accent-Text-Color',
    on: 'file',
    option: 'accentColor',
    when: 'text in `accentColor` was darkened',
    meaning: 'Color of that text.',
    example: '#8c7300',
  },
  {
    name: 'Idempotent-Replayed',
    on: 'file',
    when: 'the request repeats a paid one',
    meaning: 'Always `true`. Sheaf processed the request again and charged nothing.',
    example: 'true',
  },
  {
    name: 'Server-Timing',
    on: 'all',
    when: 'processing started',
    meaning: 'Duration of each step in milliseconds (W3C Server Timing).',
    example: 'auth;dur=0.6, body;dur=2.1, parse;dur=0.2, wait;dur=0.0, charge;dur=0.8, work;dur=11.4',
  },
  { name: 'Cache-Control', on: 'all', meaning: 'Always `no-store`.', example: 'no-store' },
  { name: 'X-Content-Type-Options', on: 'all', meaning: 'Always `nosniff`.', example: 'nosniff' },
  {
    name: 'X-Unknown-Fields',
    on: 'all',
    when: 'the API ignored unknown fields',
    meaning:
      'Names of ignored fields, percent-encoded and separated by commas. If the list exceeds 4,096 characters, its ' +
      'last entry is `...`.',
    example: 'paperFormat, items.color',
  },
  {
    name: 'Preference-Applied',
    on: 'all',
    when: 'the request has `Prefer: handling`',
    meaning: 'How the API handled unknown fields (RFC 7240).',
    example: 'handling=strict',
  },
  {
    name: 'Allow',
    on: 'error',
    when: 'the endpoint does not support the method',
    meaning: 'Supported methods (RFC 9110).',
    example: 'POST',
  },
  {
    name: 'Retry-After',
    on: 'error',
    when: 'the code is `request_in_progress`, `rate_limited` or `service_unavailable`',
    meaning: 'Seconds to wait before you retry.',
    example: '5',
  },
]

/** Lists the headers of responses to an operation with these options, and with a file of this name. */
export function listResponseHeaders({
  slug,
  schema,
  responseName,
}: {
  slug: string
  schema: z.ZodObject
  responseName: string
}): ResponseHeader[] {
  return RESPONSE_HEADERS.filter(
    ({ option, endpoints }) =>
      (option === undefined || Object.hasOwn(schema.shape, option)) && (endpoints?.includes(slug) ?? true),
  ).map(header =>
    header.name === 'Content-Disposition' ? { ...header, example: writeContentDisposition(responseName) } : header,
  )
}

/** The error codes with `Retry-After`. */
export const RETRY_CODES: readonly ErrorCode[] = ['request_in_progress', 'rate_limited', 'service_unavailable']
