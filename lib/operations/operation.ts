import type { OutputFile, Warning } from '../../engines/types'
import type { ErrorCode } from '../errors'
import type { Body, BodyRules } from '../body/body'

/** What requests wait for. A lane without free slots does not hold up the requests of another lane. */
export type Lane = 'engines' | 'browser'

/** For whom work is done. */
export interface RunContext {
  accountId: string
  /** Fires when the caller goes away. */
  signal: AbortSignal
}

/** A validated call, ready to run. */
export interface PreparedCall {
  /** What validation already has to tell, such as fields that were ignored. */
  warnings: Warning[]
  /** Names of the fields behind the warning `unknown-field`. */
  unknownFields?: string[]
  /** What can only be found out by waiting, before the charge. Rejects as `parse` throws, or with an EngineError. */
  inspect?(): Promise<void>
  /** Does the work; rejects with an EngineError or a CallError. Stops early when the caller goes away. */
  run(context: RunContext): Promise<OutputFile>
}

/** Something that can be called for a credit. */
export interface Operation {
  /** For the log and for Idempotency-Key, such as `pdf-tools/rotate-pdf`. */
  id: string
  /** The code of input that is malformed or cannot be processed. */
  refusalCode: ErrorCode
  /** The code of a failure that is nobody's mistake, such as a deadline. */
  failureCode: ErrorCode
  /** The code if the engine stopped twice. */
  crashCode: ErrorCode
  /** What its calls take turns for; the engines when missing. */
  lane?: Lane
  bodyRules: BodyRules
  /** Throws a CallError that names every fault of the input. */
  parse(body: Body): PreparedCall
}
