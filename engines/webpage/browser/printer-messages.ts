import { EngineError, isEngineError } from '../../errors'
import type { EngineErrorReason, Problem } from '../../errors'
import type { BrowserStatus } from './browser-pool'
import type { BrowserNotice } from './browser-opener'
import type { PrinterSettings } from './browser-printer'
import type { PageJob, RenderedPage } from '../page/render-page'

/** What a printer process is told how to work by; functions do not go from one process to another. */
export type ProcessSettings = Omit<PrinterSettings, 'listInterfaces' | 'onNotice' | 'resolve'>

/** From the service to its printer process. */
export type PrinterCommand =
  | { kind: 'begin'; settings: ProcessSettings }
  | { kind: 'print'; id: number; job: PageJob }
  | { kind: 'ready'; id: number }
  | { kind: 'abort'; id: number }
  | { kind: 'close'; id: number }

/** From the printer process to the service. */
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

/** An error as it goes from one process to another. */
export function toPlainError(error: unknown): PlainError {
  if (!isEngineError(error))
    return { reason: 'internal', message: 'The page could not be printed.', problems: [], cause: describeCause(error) }
  const { reason, message, problems, cause } = error
  return { reason, message, problems, cause: describeCause(cause) }
}

/** The error that was sent. */
export function fromPlainError({ reason, message, problems, cause }: PlainError): EngineError {
  return new EngineError(reason, message, { problems, ...(cause === undefined ? {} : { cause: new Error(cause) }) })
}

/** What the log is told of a cause. */
export function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined
  return (cause instanceof Error ? cause.message : JSON.stringify(cause)).slice(0, 2000)
}
