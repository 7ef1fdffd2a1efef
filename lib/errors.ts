import { ENGINE_ERROR_REASONS, type EngineErrorReason, type Problem } from '../engines/errors'

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

/** Why a request could not be processed: the values of `reason` in an error body. */
export type ErrorReason = 'body_invalid' | Exclude<EngineErrorReason, 'internal'>

/** All reasons. */
export const ERROR_REASONS: readonly ErrorReason[] = [
  'body_invalid',
  ...ENGINE_ERROR_REASONS.filter(reason => reason !== 'internal'),
]

interface RequestErrorDetails {
  reason?: ErrorReason
  problems?: Problem[]
  /** Further members of the error body, such as `creditsRequired` or `maxBytes`. */
  body?: Record<string, string | number>
  headers?: Record<string, string>
  cause?: unknown
}

/** An error of a request, ready for the response. `message` is public. `cause` only goes to the log. */
export class RequestError extends Error {
  readonly code: ErrorCode
  readonly reason: ErrorReason | undefined
  readonly problems: Problem[]
  readonly body: Record<string, string | number>
  readonly headers: Record<string, string>
  override readonly name = 'RequestError'

  constructor(code: ErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.reason = details.reason
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
export const REASON_OUTCOME: Record<
  Exclude<EngineErrorReason, 'internal'>,
  'refusal' | 'failure' | 'crash' | ErrorCode
> = {
  options_invalid: 'refusal',
  page_missing: 'refusal',
  field_missing: 'refusal',
  no_match: 'refusal',
  file_missing: 'refusal',
  not_fetched: 'refusal',
  not_a_pdf: 'refusal',
  not_an_invoice: 'refusal',
  not_encrypted: 'refusal',
  not_conforming: 'refusal',
  not_verified: 'refusal',
  promise_broken: 'refusal',
  damaged: 'refusal',
  encrypted: 'refusal',
  wrong_password: 'refusal',
  too_large: 'refusal',
  output_too_large: 'refusal',
  timed_out: 'failure',
  out_of_memory: 'failure',
  crashed: 'crash',
  canceled: 'failure',
  not_rendered: 'failure',
  busy: 'service_unavailable',
}

/** No client receives this status. It only ends the exchange. */
export const CLIENT_CLOSED_REQUEST = 499
