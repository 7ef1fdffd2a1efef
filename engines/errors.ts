/** Why a document could not be processed. No HTTP status here: `lib/errors.ts` maps reasons to answers. */
export type EngineErrorReason =
  | 'bad-options' // what only the document can decide: a page or a field that does not exist
  | 'unreadable' // not a PDF, or damaged beyond repair
  | 'encrypted'
  | 'too-large' // a limit of the file: pages, objects, inflated bytes
  | 'timed-out'
  | 'out-of-memory'
  | 'crashed' // the engine process ended without an answer
  | 'canceled' // the caller went away
  | 'not-rendered' // a web page that could not be loaded or printed
  | 'busy' // the queue of the engines is full, or they are closing
  | 'internal'

/** One fault of the input: which parameter, and a sentence a customer can act on. */
export interface Problem {
  /** Path of the field to blame, such as `options.pages[2]` or `files[1]`. */
  param?: string
  message: string
}

/**
 * Thrown by everything below `engines/`. `message` is public: it says what is wrong and what would be right, and never
 * holds a library's words, a path or document content. What the log should know goes into `cause`.
 */
export class EngineError extends Error {
  readonly reason: EngineErrorReason
  readonly problems: Problem[]
  /** Milliseconds that an engine process worked on the job until it failed; undefined if none did. */
  workMs: number | undefined
  override readonly name = 'EngineError'

  constructor(
    reason: EngineErrorReason,
    message: string,
    more: { param?: string; problems?: Problem[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.reason = reason
    this.problems = more.problems ?? [{ message, ...(more.param === undefined ? {} : { param: more.param }) }]
  }
}

/** Whether a value is an EngineError, also one made by another bundle's copy of this module. */
export function isEngineError(value: unknown): value is EngineError {
  return value instanceof Error && value.name === 'EngineError' && 'reason' in value && 'problems' in value
}
