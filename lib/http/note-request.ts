import type { RequestRow } from '../../db/queries/request-log'
import { getRequestLog } from '../requests/request-log'
import { describePhases } from '../requests/phases'
import { keepKnownParam } from '../docs/param-name'
import { CLIENT_CLOSED_REQUEST, type ErrorCode } from '../errors'
import { describeError, getLog } from '../log'
import { createOncePerPeriod } from '../once-per-period'
import { singleton } from '../registry'
import { telemetry } from '../telemetry/telemetry'
import type { Call } from '../requests/request'

/**
 * Logs a call when its response ends: a row in the account's call log if the account is known, a line in the service
 * log, and telemetry. A failure of one keeps none of the others from being written.
 */
export function noteAtEnd(call: Call): void {
  const { response } = call
  let row: RequestRow | undefined
  let isLogged = false
  response.onEnd(() => {
    isLogged = shouldLog(call)
    row = isLogged ? describeRow(call) : undefined
    if (row) getRequestLog().add(row)
  })
  let traceId: string | undefined
  response.onEnd(() => {
    if (isLogged) traceId = telemetry().traceRequest?.(call)
  })
  response.onEnd(() => {
    if (isLogged) writeLogLine(call, row?.credits ?? 0, traceId)
  })
  response.onEnd(() => telemetry().countRequest?.(call))
}

/** Minimum milliseconds between two log entries of an account for a refusal before any work. */
const LOG_INTERVAL_MS: Partial<Record<ErrorCode, number>> = { insufficient_credits: 60_000, rate_limited: 1000 }

/** Refusals are free. Without this limit, a client that retries at once would fill the log and load the database. */
function shouldLog({ caller, answered }: Call): boolean {
  const code = answered?.error?.code
  const everyMs = code && LOG_INTERVAL_MS[code]
  if (!caller || !everyMs) return true
  return singleton(`noted-${code}`, () => createOncePerPeriod(everyMs)).isDue(caller.accountId)
}

function writeLogLine(call: Call, charged: number, traceId: string | undefined): void {
  const { answered, caller, charge, response } = call
  const error = answered?.error
  const line = {
    requestId: call.requestId,
    traceId,
    operation: call.operationId,
    accountId: caller?.accountId,
    via: caller?.via,
    status: answered?.status,
    error: error?.code,
    delivered: response.end === 'delivered',
    slowReader: response.end === 'cut-off' || undefined,
    charged,
    replayed: charge?.replayed || undefined,
    warnings: call.warnings.size > 0 ? [...call.warnings] : undefined,
    bytesIn: call.bytesIn,
    bytesOut: call.bytesOut,
    ms: { ...roundAll(call.timings), total: round(performance.now() - call.receivedAtMs) },
    cause: error?.cause === undefined ? undefined : describeError(error.cause),
  }
  if (line.cause !== undefined && answered && answered.status >= 500) getLog().error(line, 'request failed')
  else getLog().info(line, 'call')
}

/**
 * Returns the row of the call log. Undefined if no account was authenticated, as in a trial. The row contains no text
 * that the client chose.
 */
function describeRow(call: Call): RequestRow | undefined {
  const { answered, caller, charge, operationId, response } = call
  if (!caller || caller.via === 'trial' || operationId === undefined) return undefined
  const error = answered?.error
  const isDelivered = response.end === 'delivered' && answered !== undefined
  const [problem] = error?.problems ?? []
  const endedAtMs = performance.now()
  const ms = endedAtMs - call.receivedAtMs
  return {
    id: call.requestId,
    accountId: caller.accountId,
    at: new Date(Date.now() - ms).toISOString(),
    operation: operationId,
    via: caller.via,
    status: answered?.status ?? CLIENT_CLOSED_REQUEST,
    error: error?.code ?? null,
    param: problem === undefined ? null : keepKnownParam(operationId, problem.param),
    ms: Math.round(ms),
    engineMs: call.engineMs === undefined ? null : Math.round(call.engineMs),
    phases: describePhases(call, endedAtMs),
    bytesIn: call.bytesIn,
    bytesOut: call.bytesOut,
    credits: isDelivered && !error ? (charge?.charged ?? 0) : 0,
    replayed: charge?.replayed ?? false,
    delivered: isDelivered,
    browserOrigin: call.warnings.has('browser-origin'),
    hasIdempotencyKey: call.hasIdempotencyKey ?? false,
    keyId: caller.key?.id ?? null,
    keyLast4: caller.key?.last4 ?? null,
    ...call.client,
  }
}

function roundAll(timings: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, round(ms)]))
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
