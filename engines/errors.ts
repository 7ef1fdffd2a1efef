/**
 * Why a document could not be processed. Responses, the request log and the documentation have the same names. The
 * reasons are independent of HTTP: `lib/errors.ts` maps them to error codes.
 */
export const ENGINE_ERROR_REASONS = [
  'options_invalid', // also an option that doesn't fit the document
  'page_missing', // an option selects a page that the document doesn't have
  'field_missing', // an option names a form field that the document doesn't have
  'no_match', // nothing in the document matches what the options search
  'file_missing', // too few files, too many, or an empty one
  'not_fetched', // a file whose URL can't be fetched
  'not_a_pdf',
  'not_an_invoice',
  'not_encrypted', // a PDF without a password, from which one should be removed
  'damaged', // beyond repair
  'encrypted',
  'wrong_password', // the password for an encrypted file
  'not_conforming', // the result would break a rule of the standard that was asked for
  'not_verified', // a redaction that can't be verified
  'promise_broken', // a step of a pipeline breaks what an earlier one promised
  'too_large', // exceeds a limit for files: pages, objects, inflated bytes
  'output_too_large', // the result exceeds the limit for outputs
  'timed_out',
  'out_of_memory',
  'crashed', // the engine process ended without a response
  'canceled', // the client canceled the request
  'not_rendered', // a web page that could not be loaded or printed
  'busy', // the queue of the engines is full, or the engines are closing
  'internal',
] as const

export type EngineErrorReason = (typeof ENGINE_ERROR_REASONS)[number]

/** Reasons that other options for the same document would avoid. */
const REASONS_OF_OPTIONS: ReadonlySet<EngineErrorReason> = new Set([
  'options_invalid',
  'page_missing',
  'field_missing',
  'no_match',
  'not_conforming',
])

/** A problem with the input: the parameter, and a message that tells a customer how to fix it. */
export interface Problem {
  /** Path of the invalid parameter, such as `options.pages[2]` or `files[1]`. */
  param?: string
  message: string
  /** ID of the rule that the input breaks, such as `BR-DE-15`, if the problem has one. */
  rule?: string
}

/**
 * The only error type that code in `engines/` throws. `message` is public. It says what is wrong and how to fix it, and
 * never contains messages of libraries, paths or document content. Details for the log belong in `cause`.
 */
export class EngineError extends Error {
  readonly reason: EngineErrorReason
  readonly problems: Problem[]
  /** Milliseconds that an engine process worked on the job until it failed. Undefined if no process did. */
  workMs: number | undefined
  override readonly name = 'EngineError'

  constructor(
    reason: EngineErrorReason,
    message: string,
    details: { param?: string; problems?: Problem[]; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.reason = reason
    this.problems = details.problems ?? [{ message, ...(details.param === undefined ? {} : { param: details.param }) }]
  }
}

/** Returns whether other options for the same document would avoid this error. */
export function isErrorOfOptions({ reason }: EngineError): boolean {
  return REASONS_OF_OPTIONS.has(reason)
}

/** Returns the error for an output over the limit. `advice` is a sentence that says how to get a smaller one. */
export function outputTooLarge(maxBytes: number, advice = 'Use a smaller file or fewer pages.'): EngineError {
  const limit = `${Math.floor((10 * maxBytes) / 2 ** 20) / 10} MB (${maxBytes} bytes)`
  return new EngineError('output_too_large', `The output must be at most ${limit}. Got a larger output. ${advice}`)
}

/** Returns whether a value is an EngineError, including one from another bundle's copy of this module. */
export function isEngineError(value: unknown): value is EngineError {
  return value instanceof Error && value.name === 'EngineError' && 'reason' in value && 'problems' in value
}
