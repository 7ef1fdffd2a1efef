import { EngineError, isEngineError } from '../../errors'
import type { EngineErrorReason, Problem } from '../../errors'
import type { BrowserStatus } from './browser-pool'
import type { BrowserNotice } from './browser-opener'
import type { PrinterSettings } from './browser-printer'
import type { PageJob, RenderedPage } from '../page/render-page'

/** Settings of a printer process. Functions are omitted, because they can't be sent to another process. */
export type ProcessSettings = Omit<PrinterSettings, 'listInterfaces' | 'onNotice' | 'resolve'>

/** A message from the service to its printer process. */
export type PrinterCommand =
  | { kind: 'begin'; settings: ProcessSettings }
  | { kind: 'print'; id: number; job: PageJob; spoolPath: string }
  | { kind: 'ready'; id: number }
  | { kind: 'abort'; id: number }
  | { kind: 'close'; id: number }

/** A message from the printer process to the service. */
export type Report =
  | { kind: 'printed'; id: number; page: RenderedPage }
  | { kind: 'done'; id: number }
  | { kind: 'failed'; id: number; error: PlainError }
  | { kind: 'status'; status: BrowserStatus }
  | { kind: 'notice'; notice: Omit<BrowserNotice, 'cause'>; cause: string | undefined }

interface PlainError {
  reason: EngineErrorReason
  message: string
  problems: Problem[]
  cause: string | undefined
}

/** Converts an error to a form that can be sent to another process. */
export function toPlainError(error: unknown): PlainError {
  if (!isEngineError(error))
    return { reason: 'internal', message: 'The page could not be printed.', problems: [], cause: describeCause(error) }
  const { reason, message, problems, cause } = error
  return { reason, message, problems, cause: describeCause(cause) }
}

/** Restores the error from its plain form. */
export function fromPlainError({ reason, message, problems, cause }: PlainError): EngineError {
  return new EngineError(reason, message, { problems, ...(cause === undefined ? {} : { cause: new Error(cause) }) })
}

/** Describes a cause for the log. */
export function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined
  return (cause instanceof Error ? cause.message : JSON.stringify(cause)).slice(0, 2000)
}
