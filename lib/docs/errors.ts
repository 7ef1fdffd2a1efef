import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../errors'

const problemSchema = z.object({
  param: z
    .string()
    .optional()
    .describe('The field to blame, such as `options.pages[2]`; missing when it is none in particular.'),
  message: z.string().describe('What is wrong with it and what would be right.'),
})

/** The body of every response that isn't a file. */
export const errorBodySchema = z.object({
  error: z.enum(listErrorCodes()).describe('The code, for programs. Codes are never renamed.'),
  message: z.string().describe('What is wrong and what would be right, for people. The wording may change.'),
  requestId: z
    .string()
    .regex(/^req_[0-9A-Za-z]{22}$/)
    .describe('The same as in `X-Request-Id`. Name it when you ask us about a call.'),
  docs: z.url().describe('URL of this error in the documentation.'),
  param: z.string().optional().describe('Where one field is to blame: which one.'),
  problems: z.array(problemSchema).optional().describe('Where several fields are to blame: all of them.'),
  creditsRequired: z.int().optional().describe('With `insufficient_credits`: what the call costs.'),
  creditBalance: z.int().optional().describe('With `insufficient_credits`: what the account has.'),
  maxBytes: z.int().optional().describe('With `payload_too_large`: what a body may have.'),
})

/** The body of an error response. */
export type ErrorBody = z.infer<typeof errorBodySchema>

/** Whether a client may retry: after the time in `Retry-After`, a few times with growing pauses, or never. */
export type Retry = 'after-header' | 'with-pauses' | 'never'

/** The meaning of each value for a client. */
export const RETRY_ADVICE: Record<Retry, string> = {
  'after-header': 'Yes, after as many seconds as `Retry-After` says.',
  'with-pauses': 'Yes, a few times with growing pauses.',
  never: 'No, it fails again: change it first.',
}

/** What the documentation says about an error code. */
export interface ErrorEntry {
  /** When the error is returned. */
  cause: string
  /** What the client can do, and whether it may retry. */
  fix: string
  retry: Retry
  example: Omit<ErrorBody, 'error' | 'requestId' | 'docs'>
}

/** The documentation of every error code. The type checker requires all of them. */
export const ERROR_ENTRIES: Record<ErrorCode, ErrorEntry> = {
  invalid_payload: {
    cause:
      'The web page call got none or several of `url`, `html` and `file`, an option out of its bounds, a file that ' +
      "can't be used, or an address that is not public.",
    fix: 'Correct the request as the message says. The same request fails again.',
    retry: 'never',
    example: { message: 'the request needs one of url, html and file; none was sent' },
  },
  invalid_invoice_payload: {
    cause: 'The invoice data is malformed or lacks a required field.',
    fix: 'Correct the fields that `param` or `problems` name. The same request fails again.',
    retry: 'never',
    example: {
      message:
        '2 faults: invoiceNumber: is missing; it has to be a string; taxRate: is 10, but taxRate is a fraction ' +
        'from 0 to 1; did you mean 0.1?',
      problems: [
        { param: 'invoiceNumber', message: 'is missing; it has to be a string' },
        { param: 'taxRate', message: 'is 10, but taxRate is a fraction from 0 to 1; did you mean 0.1?' },
      ],
    },
  },
  invalid_api_key: {
    cause: 'The header `x-api-key` is missing, or its key is mistyped, unknown or was rotated.',
    fix:
      'Send the key that your account area shows the last four characters of. Where it is lost, rotate it there: the ' +
      'new one works at once, the old one no more.',
    retry: 'never',
    example: {
      message: 'The header x-api-key is missing. Send your API key in it; a key is created in the account area.',
    },
  },
  insufficient_credits: {
    cause: 'The balance is under the price of the call. The body of the request was not read.',
    fix:
      'Buy credits in the account area, where they are sold, or wait for the next month. A call that repeats a paid ' +
      'one with the same `Idempotency-Key` needs none.',
    retry: 'never',
    example: {
      message:
        'This call costs 1 credit and the account has 0. 100 free credits are added at the start of each month (UTC).',
      creditsRequired: 1,
      creditBalance: 0,
    },
  },
  not_found: {
    cause: 'There is no call at this path, or no tool of this name.',
    fix: 'Compare the path with the list in the message; mind that it has no slash at the end.',
    retry: 'never',
    example: { message: 'There is no such tool; tools are merge-pdf, split-pdf, rotate-pdf' },
  },
  method_not_allowed: {
    cause:
      'The call was not sent with POST. `OPTIONS` and `HEAD` are refused as well: calls are for servers, not for ' +
      'browsers.',
    fix: 'Send it with POST. The header `Allow` says so too.',
    retry: 'never',
    example: { message: 'Send this call with POST, not GET' },
  },
  idempotency_key_reused: {
    cause: 'The `Idempotency-Key` was used by this account for another request within the last 24 hours.',
    fix: 'Use a new key for every new request; send an old one only with the same fields and the same files.',
    retry: 'never',
    example: {
      message:
        'This Idempotency-Key was used for a different request within the last 24 hours. Use a new key for a new ' +
        'request.',
    },
  },
  request_in_progress: {
    cause: 'The first call with this `Idempotency-Key` is still running.',
    fix: 'Wait as long as `Retry-After` says, then send the same request again.',
    retry: 'after-header',
    example: { message: 'The first request with this Idempotency-Key is still running. Try again in a moment.' },
  },
  payload_too_large: {
    cause:
      'The body has more bytes than `maxBytes`. It is refused before it is read where its length is announced, ' +
      'else as soon as too much has come.',
    fix: 'Send a smaller file or fewer files. In JSON, base64 makes files a third larger: multipart does not.',
    retry: 'never',
    example: {
      message: 'The body is larger than 104857600 bytes; send a smaller file or fewer files',
      maxBytes: 104_857_600,
    },
  },
  unsupported_media_type: {
    cause:
      'The `Content-Type` is neither `application/json` nor `multipart/form-data`, or the body has a ' +
      '`Content-Encoding`.',
    fix:
      'Send one of the two, uncompressed. With multipart, let your HTTP library write the header: the boundary ' +
      'stands in it.',
    retry: 'never',
    example: { message: 'The Content-Type has to be application/json or multipart/form-data, not text/plain' },
  },
  pdf_tool_processing_failed: {
    cause:
      'The request, its options or the PDF cannot be processed: a field that is missing or wrong, a page that the ' +
      'document does not have, a file that is unreadable, encrypted (an owner password alone counts) or damaged ' +
      'beyond repair, a limit of the file, or work that took too long.',
    fix:
      'Read `message`; `param` or `problems` name the fields. Unlock encrypted files first. Where size or time is ' +
      'the cause, send a smaller file or fewer pages: split the document, or ask for less in one call. The same ' +
      'request fails again.',
    retry: 'never',
    example: {
      message: 'options.pages[1]: page 12 is not in this 10-page document; use 1 to 10',
      param: 'options.pages[1]',
    },
  },
  rate_limited: {
    cause:
      'The account sends more calls per second than this server allows, or its running calls took all its slots ' +
      'for too long.',
    fix: 'Wait as long as `Retry-After` says, then send the same request again; send fewer at the same time.',
    retry: 'after-header',
    example: { message: '8 calls of this account are running already and none has ended; send fewer at the same time' },
  },
  internal_error: {
    cause: 'Something failed on our side.',
    fix: 'Send the same request again. If it stays, tell us the `requestId`.',
    retry: 'with-pauses',
    example: {
      message: 'Something failed on our side and nothing was charged. Try again; if it stays, tell us the requestId',
    },
  },
  invoice_pdf_generation_failed: {
    cause: 'The invoice data was right, but drawing the PDF failed.',
    fix: 'Send the same request again. If it stays, tell us the `requestId`.',
    retry: 'with-pauses',
    example: { message: 'The invoice could not be drawn; nothing was charged' },
  },
  conversion_failed: {
    cause:
      'The web page could not be printed: nothing public is at its address, its server did not answer, answered ' +
      'with a failure or not in full, or the page took too long. Which of these it was is not told.',
    fix: 'Check that the page opens without a login from the public internet, then send the same request again.',
    retry: 'with-pauses',
    example: {
      message:
        'The page could not be converted. It has to be reachable from the public internet, answer without an error ' +
        'and in full, and come to rest within the timeout; check its address, or send a simpler page.',
    },
  },
  service_unavailable: {
    cause:
      'Too many calls are waiting, the server is shutting down, its database is away, or the call is not available ' +
      'in this version.',
    fix:
      'Wait as long as `Retry-After` says, then send the same request again. Without that header waiting does not ' +
      'help.',
    retry: 'after-header',
    example: { message: 'Too many calls are waiting; try again in a few seconds' },
  },
}

/** Returns the complete example body of a code. `origin` is the scheme, host and port of the documentation. */
export function writeExampleBody(code: ErrorCode, origin: string): ErrorBody {
  const { message, ...details } = ERROR_ENTRIES[code].example
  const docs = `${origin}/docs/errors#${code}`
  return { error: code, message, requestId: 'req_5Kd0mVq2xRbT7LwYc9HsNe', docs, ...details }
}

/** Lists all codes in order of their status. */
export function listErrorCodes(): [ErrorCode, ...ErrorCode[]] {
  return Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]] // The object is a constant with these keys.
}
