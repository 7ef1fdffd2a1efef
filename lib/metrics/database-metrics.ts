import type * as Prom from 'prom-client'
import type { Database } from '../../db/database'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import type { Ledger } from '../credits/ledger'
import type { Telemetry } from '../telemetry/telemetry'

/** Upper bounds in seconds, from a statement on the same machine to the longest wait. */
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Registers the durations of ledger statements and the failures of an unavailable database. */
export function createDatabaseMetrics(
  prom: typeof Prom,
  registry: Prom.Registry,
): Required<Pick<Telemetry, 'watchDatabase' | 'watchLedger'>> {
  const registers = [registry]
  const unavailableErrors = new prom.Counter({
    name: 'sheaf_database_away_errors_total',
    help: 'Statements that failed because the database was unavailable.',
    registers,
  })
  const duration = new prom.Histogram({
    name: 'sheaf_database_statement_duration_seconds',
    help: 'Time of the statements of a request, including the wait for a connection.',
    labelNames: ['statement'],
    buckets: STATEMENT_BUCKETS,
    registers,
  })

  const countFailures = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) unavailableErrors.inc()
      throw error
    })
  const measureTime = async <T>(statement: string, work: Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    try {
      return await work
    } finally {
      duration.observe({ statement }, (performance.now() - startedMs) / 1000)
    }
  }
  return {
    watchDatabase: (database: Database) => ({
      ...database,
      rows: statement => countFailures(database.rows(statement)),
      transaction: work => countFailures(database.transaction(work)),
    }),
    watchLedger: (ledger: Ledger) => ({
      ...ledger,
      charge: request => measureTime('charge', ledger.charge(request)),
      refund: requestId => measureTime('refund', ledger.refund(requestId)),
      settle: requestIds => measureTime('settle', ledger.settle(requestIds)),
      renew: requestIds => measureTime('renew', ledger.renew(requestIds)),
    }),
  }
}
