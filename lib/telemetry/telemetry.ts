import type { Database } from '../../db/database'
import type { EntryKind } from '../../db/schema'
import type { Ledger } from '../credits/ledger'
import type { RunningRequest } from '../requests/request'
import { singleton } from '../registry'

/** Telemetry hooks of the service. Every member is undefined unless an operator configured metrics or traces. */
export interface Telemetry {
  /** Counts a finished request. */
  countRequest?(request: RunningRequest): void
  /** Passes a finished request to the tracer. Returns its trace ID, 32 hexadecimal digits. */
  traceRequest?(request: RunningRequest): string | undefined
  /** Counts booked credits, always as a positive number. */
  countCredits?(kind: EntryKind, credits: number): void
  watchDatabase?(database: Database): Database
  watchLedger?(ledger: Ledger): Ledger
}

/** The telemetry of this process, shared by all of its bundles. */
export function telemetry(): Telemetry {
  return singleton('telemetry', () => ({}))
}
