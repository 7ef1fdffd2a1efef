import * as z from 'zod'
import { ERROR_REASONS, ERROR_STATUS, type ErrorCode, type ErrorReason } from '../errors'

const problemSchema = z.object({
  param: z
    .string()
    .optional()
    .describe('Path of the invalid field, such as `options.pages[2]`. Missing if the problem is not in one field.'),
  message: z.string().describe('Description of the problem and how to fix it.'),
  rule: z
    .string()
    .optional()
    .describe('ID of the broken rule of an electronic invoice or of PDF/A, such as `BR-DE-15` or `6.2.4.3-3`.'),
})

/** What each reason means. The type checker requires all of them. */
export const REASON_MEANINGS: Record<ErrorReason, string> = {
  body_invalid: 'The body is not valid JSON, or not valid `multipart/form-data`.',
  options_invalid: "A parameter is missing or invalid, or doesn't fit the document.",
  page_missing: "A parameter selects a page that the document doesn't have.",
  field_missing: "A parameter names a form field that the document doesn't have.",
  no_match: 'Nothing in the document matches what a parameter searches.',
  file_missing: 'The request has no file, too few or too many files, or an empty one.',
  not_fetched: 'A file could not be fetched from its URL. The message has the status of the other server.',
  not_a_pdf: "The file isn't a PDF.",
  not_an_invoice: 'The file has no electronic invoice.',
  not_encrypted: "The PDF isn't encrypted, so there is no password to remove.",
  damaged: 'The file is damaged beyond repair, or a part that the request needs is.',
  encrypted: 'The PDF is encrypted. Remove its password with unlock-pdf.',
  wrong_password: "The password doesn't open the PDF.",
  not_conforming: 'The result would break a rule of the standard that the request asks for.',
  promise_broken: 'A step of a pipeline breaks what an earlier step promised for the file.',
  not_verified: "The redaction can't be verified, or text that should be removed is still readable.",
  too_large: 'The input exceeds a limit on pages, pixels, objects or unpacked bytes.',
  output_too_large: 'The result exceeds the limit on output size.',
  timed_out: 'The work took longer than its time limit.',
  out_of_memory: 'The work needed more memory than its limit.',
  crashed: 'The engine stopped during the work, twice.',
  canceled: 'The client closed the connection during the work.',
  not_rendered: "The browser couldn't load or print the web page.",
  busy: 'Too many requests are waiting for an engine.',
}

/** The body of every response that isn't a file. */
export const errorBodySchema = z.object({
  error: z
    .enum(listErrorCodes())
    .describe('Error code for your program. Use it instead of `message`, because it keeps its name.'),
  reason: z
    .enum(ERROR_REASONS)
    .optional()
    .describe(
      'Why the request could not be processed, for your program. Reasons keep their names, and new ones may be added.',
    ),
  message: z.string().describe('Description of the error and how to fix it, for people. The wording may change.'),
  requestId: z
    .string()
    .regex(/^req_[0-9A-Za-z]{22}$/)
    .describe('ID of the request, as in `X-Request-Id`. Include it if you ask for help.'),
  docs: z.url().describe('URL of this error in the documentation.'),
  param: z.string().optional().describe('Path of the invalid field, if one field caused the error.'),
  rule: z.string().optional().describe('ID of the broken rule, if one rule caused the error.'),
  problems: z.array(problemSchema).optional().describe('All invalid fields or broken rules, also if it is one.'),
  creditsRequired: z.int().optional().describe('Price of the request. Only with `insufficient_credits`.'),
  creditBalance: z.int().optional().describe('Balance of the account. Only with `insufficient_credits`.'),
  maxBytes: z.int().optional().describe('Maximum size of a request body. Only with `payload_too_large`.'),
})

/** The body of an error response. */
export type ErrorBody = z.infer<typeof errorBodySchema>

/** Whether a client may retry: after the time in `Retry-After`, a few times with growing pauses, or never. */
export type Retry = 'after-header' | 'with-pauses' | 'never'

/** The meaning of each value for a client. */
export const RETRY_ADVICE: Record<Retry, string> = {
  'after-header': 'Yes. Wait the number of seconds in `Retry-After`.',
  'with-pauses': 'Yes, up to three times, with increasing delays.',
  never: 'No. Fix the cause first.',
}

/** What the documentation says about an error code. */
export interface ErrorEntry {
  /** When the error is returned. */
  cause: string
  /** What the client can do, and whether it may retry. */
  fix: string
  retry: Retry
  /** `{origin}` in the message stands for the origin of the documentation. */
  example: Omit<ErrorBody, 'error' | 'requestId' | 'docs'>
}

/** The documentation of every error code. The type checker requires all of them. */
export const ERROR_ENTRIES: Record<ErrorCode, ErrorEntry> = {
  invalid_payload: {
    cause:
      'The request to the web page endpoint is invalid. It must have exactly one of `url`, `html` and `file`. Other ' +
      'causes are an invalid parameter, an unreadable file, and a private host in `url`.',
    fix: 'Correct the request as `message` says.',
    retry: 'never',
    example: {
      reason: 'options_invalid',
      message: 'The request must have exactly one of url, html and file. Got none.',
    },
  },
  invalid_invoice_payload: {
    cause: 'The invoice data has an invalid field or lacks a required one.',
    fix: 'Correct the fields in `problems`.',
    retry: 'never',
    example: {
      reason: 'options_invalid',
      message:
        '2 errors: invoiceNumber: is required and must be a string. taxRate: must be a fraction from 0 to 1. Got ' +
        '10. Did you mean 0.1?',
      problems: [
        { param: 'invoiceNumber', message: 'is required and must be a string.' },
        { param: 'taxRate', message: 'must be a fraction from 0 to 1. Got 10. Did you mean 0.1?' },
      ],
    },
  },
  invalid_api_key: {
    cause: 'The header `x-api-key` is missing, or its key is misspelled, unknown or rotated.',
    fix:
      'Compare the last four characters of your key with the account area. If you lost the key, rotate it there. The ' +
      'old key then stops working.',
    retry: 'never',
    example: {
      message: 'The x-api-key header is missing. Send your API key in this header. Create a key in your account.',
    },
  },
  insufficient_credits: {
    cause: 'The account has too few credits for the request.',
    fix:
      'Buy credits in the account area if this server sells them. Otherwise wait for the free credits of the next ' +
      'month. If you already paid for this request, repeat it free with the same `Idempotency-Key`.',
    retry: 'never',
    example: {
      message:
        'This request costs 1 credit. Your balance is 0. You get 100 free credits at the start of each month (UTC).',
      creditsRequired: 1,
      creditBalance: 0,
    },
  },
  not_found: {
    cause: 'The path has no endpoint, or the tool name is unknown.',
    fix: 'Correct the path as `message` says.',
    retry: 'never',
    example: { message: 'Unknown tool. The tools are merge-pdf, split-pdf, rotate-pdf, …' },
  },
  method_not_allowed: {
    cause:
      "The endpoint doesn't support the method of the request. Endpoints take POST. Only `/api/external/credits` " +
      'takes GET and HEAD.',
    fix: 'Use the method in the header `Allow`.',
    retry: 'never',
    example: {
      message:
        'The method must be POST. Got GET. Send your API key in the x-api-key header and the input as JSON or ' +
        'multipart/form-data. See {origin}/docs/rotate-pdf',
    },
  },
  idempotency_key_reused: {
    cause:
      'The account used this `Idempotency-Key` for a different request in the last 24 hours. Or the account ' +
      'already repeated the request 3 times.',
    fix: 'Use a new key for each new request. Repeat a key only with the same fields and files.',
    retry: 'never',
    example: {
      message:
        'You used this Idempotency-Key for a different request in the last 24 hours. Use a new key for each new ' +
        'request.',
    },
  },
  request_in_progress: {
    cause: 'A request with this `Idempotency-Key` is still running.',
    fix: 'Wait the number of seconds in `Retry-After`, then send the same request again.',
    retry: 'after-header',
    example: { message: 'A request with this Idempotency-Key is still running. Retry after 2 seconds.' },
  },
  payload_too_large: {
    cause:
      'The request body is larger than `maxBytes`. The API rejects it before the upload if `Content-Length` states ' +
      'its size, otherwise during the upload.',
    fix:
      'Send a smaller file or fewer files. Base64 in JSON adds a third to their size, so use `multipart/form-data` ' +
      'for large files.',
    retry: 'never',
    example: {
      message: 'The body must be at most 100 MB (104857600 bytes). Send a smaller file or fewer files.',
      maxBytes: 104_857_600,
    },
  },
  unsupported_media_type: {
    cause:
      'The `Content-Type` is neither `application/json` nor `multipart/form-data`, or the body has a ' +
      '`Content-Encoding`.',
    fix:
      'Send one of the two content types, without compression. For `multipart/form-data`, let your HTTP library set ' +
      'the header with its boundary.',
    retry: 'never',
    example: { message: 'The Content-Type must be application/json or multipart/form-data. Got text/plain.' },
  },
  pdf_tool_processing_failed: {
    cause:
      "Sheaf can't process the request. A parameter is missing or invalid, or you selected a page that the document " +
      "doesn't have. Or the PDF is encrypted, unreadable or too large, or its processing took too long. A PDF that " +
      'has just an owner password is encrypted, too.',
    fix:
      'Read `reason`, `message`, `param` and `problems`. Remove the password of encrypted files with unlock-pdf. If the size or time is the ' +
      'problem, process fewer pages per request, or split the file with another program.',
    retry: 'never',
    example: {
      reason: 'page_missing',
      message: 'options.pages[1]: page 12 is not in this 10-page document. Use 1 to 10.',
      param: 'options.pages[1]',
      problems: [{ param: 'options.pages[1]', message: 'page 12 is not in this 10-page document. Use 1 to 10.' }],
    },
  },
  rate_limited: {
    cause:
      'The account or its network exceeded a limit on requests, memory, disk space or failed work. `message` names ' +
      'the limit.',
    fix:
      'Wait the number of seconds in `Retry-After`, then send the same request again. Send fewer requests at the ' +
      'same time.',
    retry: 'after-header',
    example: { message: 'Concurrency limit reached: 8 requests. Retry after 5 seconds.' },
  },
  internal_error: {
    cause: 'Something failed on the server.',
    fix: 'Send the same request again. If the error remains, contact support with the `requestId`.',
    retry: 'with-pauses',
    example: {
      message:
        'An error occurred on our side. You were not charged. Try again. If the error remains, contact support with ' +
        'the requestId.',
    },
  },
  invoice_pdf_generation_failed: {
    cause: "The invoice data is valid, but the server couldn't render the PDF or took too long.",
    fix: 'Send the same request again. If the error remains, contact support with the `requestId`.',
    retry: 'with-pauses',
    example: {
      message:
        'The invoice could not be rendered. You were not charged. Try again. If the error remains, contact support ' +
        'with the requestId.',
    },
  },
  conversion_failed: {
    cause:
      "The browser couldn't render the web page. Possible causes are a private address, a failed server, a download, " +
      'a status in `failOnHttpStatusCodes`, and a timeout. For security, the error is the same for all of them. ' +
      'If `waitForSelector`, `waitForExpression` or `failOnResourceError` caused it, the error names that parameter.',
    fix:
      'Check that the URL opens on the public internet. If the page needs a login, send `cookies`, `extraHeaders` or ' +
      '`httpAuth`. Then send the request again.',
    retry: 'with-pauses',
    example: {
      reason: 'not_rendered',
      message:
        'The page could not be converted. It must be reachable from the public internet, load completely and without ' +
        'an error, and finish within the timeout. Check its URL, or send a simpler page.',
    },
  },
  service_unavailable: {
    cause: 'The server is busy, is shutting down, has no database connection, or has no disk space for the response.',
    fix: 'Wait the number of seconds in `Retry-After`, then send the same request again.',
    retry: 'after-header',
    example: { reason: 'busy', message: 'Too many requests are waiting. Retry after 5 seconds.' },
  },
}

/** Returns the complete example body of a code. `origin` is the scheme, host and port of the documentation. */
export function writeExampleBody(code: ErrorCode, origin: string): ErrorBody {
  const { message, ...details } = ERROR_ENTRIES[code].example
  const docs = `${origin}/docs/errors#${code}`
  const text = message.replace('{origin}', origin)
  return { error: code, message: text, requestId: 'req_5Kd0mVq2xRbT7LwYc9HsNe', docs, ...details }
}

/** Lists all codes in order of their status. */
export function listErrorCodes(): [ErrorCode, ...ErrorCode[]] {
  return Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]] // The object is a constant with these keys.
}
