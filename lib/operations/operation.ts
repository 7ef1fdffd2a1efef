import type { Job, OutputFile, Warning } from '../../engines/types'
import type { ErrorCode } from '../errors'
import type { Body, BodyRules } from '../body/body'
import type { FieldHints } from './check-fields'

/** A resource that requests wait for. A lane without free slots doesn't block the requests of another lane. */
export type Lane = 'engines' | 'browser'

/** The context of an operation's work. */
export interface RunContext {
  accountId: string
  /** Aborts when the client closes the connection. */
  signal: AbortSignal
  /** Counts further bytes as part of the body, before they are held. See `BodyShare.take`. */
  take?(bytes: number): Promise<void> | undefined
}

/** A validated request, ready to run. */
export interface PreparedRequest {
  /** Warnings from validation, such as ignored fields. */
  warnings: Warning[]
  /** Names of the fields behind the warning `unknown-field`. */
  unknownFields?: string[]
  /** The steps of a pipeline in order: IDs of tools, `webpage` and `invoice`. */
  steps?: readonly string[]
  /** The lane of this request. Default: the lane of its operation. */
  lane?: Lane
  /** The job that `run` gives to an engine, if that is all it does. */
  job?: Job
  /**
   * Does asynchronous checks before the charge. Rejects with the same errors as `parse`, or with an EngineError. Stops
   * early when the client closes the connection.
   */
  inspect?(context: RunContext): Promise<void>
  /**
   * Does the work. Rejects with an EngineError or a RequestError. Stops early when the client closes the connection.
   */
  run(context: RunContext): Promise<OutputFile>
}

/** An operation of the API, which costs a credit. */
export interface Operation {
  /** ID for the log and for Idempotency-Key, such as `pdf-tools/rotate-pdf`. */
  id: string
  /** The error code for malformed or unprocessable input. */
  refusalCode: ErrorCode
  /** The error code for a failure without a known cause in the input, such as a deadline. */
  failureCode: ErrorCode
  /** The error code if the engine crashed twice. */
  crashCode: ErrorCode
  /** The lane of its requests. Default: the engines. */
  lane?: Lane
  bodyRules: BodyRules
  /** Maximum bytes of the body, if less than the limit of the service. */
  maxBodyBytes?: number
  /** Rejects with a RequestError that names every problem of the input, or the first 20. An invoice can have 100. */
  parse(body: Body, hints: FieldHints): Promise<PreparedRequest>
}
