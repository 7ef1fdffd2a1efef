import type { EngineErrorReason, Problem } from '../engines/errors'

/** Every public error code and its status. The documentation has an entry for each. */
export const ERROR_STATUS = {
  invalid_payload: 400,
  invalid_invoice_payload: 400,
  invalid_api_key: 401,
  insufficient_credits: 402,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  request_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  pdf_tool_processing_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  invoice_pdf_generation_failed: 500,
  conversion_failed: 502,
  service_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

interface RequestErrorDetails {
  problems?: Problem[]
  /** Further members of the error body, such as `creditsRequired` or `maxBytes`. */
  body?: Record<string, string | number>
  headers?: Record<string, string>
  cause?: unknown
}

/** An error of a request, ready for the response. `message` is public. `cause` only goes to the log. */
export class RequestError extends Error {
  readonly code: ErrorCode
  readonly problems: Problem[]
  readonly body: Record<string, string | number>
  readonly headers: Record<string, string>
  override readonly name = 'RequestError'

  constructor(code: ErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.problems = details.problems ?? []
    this.body = details.body ?? {}
    this.headers = details.headers ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** Returns whether a value is a RequestError, including one from another bundle's copy of this module. */
export function isRequestError(value: unknown): value is RequestError {
  return value instanceof Error && value.name === 'RequestError' && 'code' in value
}

/**
 * Maps an engine's reason to an error code. `refusal` is the operation's code for unprocessable input, `failure` its
 * code for deadlines, and `crash` its code for a crashed engine. The others are codes of the service.
 */
export const REASON_OUTCOME: Record<EngineErrorReason, 'refusal' | 'failure' | 'crash' | ErrorCode> = {
  'bad-options': 'refusal',
  unreadable: 'refusal',
  encrypted: 'refusal',
  'wrong-password': 'refusal',
  'too-large': 'refusal',
  'output-too-large': 'refusal',
  'timed-out': 'failure',
  'out-of-memory': 'failure',
  crashed: 'crash',
  canceled: 'failure',
  'not-rendered': 'failure',
  busy: 'service_unavailable',
  internal: 'internal_error',
}

/** No client receives this status. It only ends the exchange. */
export const CLIENT_CLOSED_REQUEST = 499
