import * as z from 'zod'
import { ENGINE_ERROR_REASONS, EngineError } from '../errors'
import { WARNINGS, type EngineLimits, type Warning } from '../types'

/** Where the output of a job goes. */
export interface SpoolTarget {
  /** The file for an output of more than `maxHeldBytes`. It doesn't exist yet. */
  path: string
  /** Maximum bytes of an output that follows its `result` frame. */
  maxHeldBytes: number
}

/**
 * Message of a `job` frame. The bytes of the files follow in this order. The pool writes the message, so it isn't
 * validated again.
 */
export interface JobMessage {
  tool: string
  options: unknown
  limits: EngineLimits
  spool: SpoolTarget
  /** The bytes of files with a path don't follow. */
  files: { name: string; byteLength: number; path?: string }[]
}

/** Message of a `result` frame. The bytes of the output follow, unless they are in the spool file. */
export const resultSchema = z.object({
  name: z.string(),
  contentType: z.string(),
  warnings: z.array(z.enum(Object.keys(WARNINGS) as [Warning, ...Warning[]])), // The constant has at least one key.
  headers: z.record(z.string(), z.string()),
  timings: z.record(z.string(), z.number()),
  /** Size of the spool file, if the output is there. */
  spooledBytes: z.number().optional(),
})

/** Message of an `idle` frame: the process is free, with its remaining memory in bytes. */
export const idleSchema = z.object({ residentBytes: z.number() })

/** Message of an `error` frame. `cause` is for the log. */
const errorSchema = z.object({
  reason: z.enum(ENGINE_ERROR_REASONS),
  message: z.string(),
  problems: z.array(z.object({ param: z.string().optional(), message: z.string(), rule: z.string().optional() })),
  cause: z.string().optional(),
})

/** Returns the EngineError in an `error` frame, with the cause as text. Throws ZodError if the message is invalid. */
export function readErrorMessage(message: unknown): EngineError {
  const { reason, message: sentence, problems, cause } = errorSchema.parse(message)
  return new EngineError(reason, sentence, { problems, cause })
}
