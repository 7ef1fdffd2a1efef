import type { Database } from '../../db/database'
import type { EntryKind } from '../../db/schema'
import type { Ledger } from '../credits/ledger'
import type { Call } from '../calls/call'
import { singleton } from '../registry'

/** Where the service tells of itself. Every member is missing unless an operator asked for metrics or traces. */
export interface Telemetry {
  /** Counts a call that has ended. */
  countCall?(call: Call): void
  /** Gives a call that has ended to the tracer; the id of its trace, 32 hexadecimal digits. */
  traceCall?(call: Call): string | undefined
  /** Counts credits that were booked, always as a positive number. */
  countCredits?(kind: EntryKind, credits: number): void
  watchDatabase?(database: Database): Database
  watchLedger?(ledger: Ledger): Ledger
}

/** The telemetry of this process, in all of its bundles. */
export function telemetry(): Telemetry {
  return singleton('telemetry', () => ({}))
}
