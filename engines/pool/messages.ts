import { z } from 'zod'
import { EngineError, type EngineErrorReason } from '../errors'
import { WARNINGS, type EngineLimits, type Warning } from '../types'

/** What a `job` frame says; the files' bytes follow it in this order. Written by the pool, so not checked again. */
export interface JobMessage {
  tool: string
  options: unknown
  limits: EngineLimits
  files: { name: string; byteLength: number }[]
}

/** What a `result` frame says about the file whose bytes follow it. */
export const resultSchema = z.object({
  name: z.string(),
  contentType: z.string(),
  warnings: z.array(z.enum(Object.keys(WARNINGS) as [Warning, ...Warning[]])), // the keys of a constant with entries
  headers: z.record(z.string(), z.string()),
  timings: z.record(z.string(), z.number()),
})

/** What an `idle` frame says: the process is free again, and how many bytes it still holds. */
export const idleSchema = z.object({ residentBytes: z.number() })

const REASONS = {
  'bad-options': true,
  unreadable: true,
  encrypted: true,
  'too-large': true,
  'timed-out': true,
  'out-of-memory': true,
  crashed: true,
  canceled: true,
  'not-rendered': true,
  busy: true,
  internal: true,
} satisfies Record<EngineErrorReason, true>

/** What an `error` frame says; `cause` is for the log. */
const errorSchema = z.object({
  reason: z.enum(Object.keys(REASONS) as [EngineErrorReason, ...EngineErrorReason[]]), // as above
  message: z.string(),
  problems: z.array(z.object({ param: z.string().optional(), message: z.string() })),
  cause: z.string().optional(),
})

/**
 * The EngineError that an `error` frame tells of, with the cause as text. Throws ZodError on a message of another
 * shape.
 */
export function readErrorMessage(message: unknown): EngineError {
  const { reason, message: sentence, problems, cause } = errorSchema.parse(message)
  return new EngineError(reason, sentence, { problems, cause })
}
