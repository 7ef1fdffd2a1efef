import type { RequestRow } from '../../db/queries/request-log'
import { getRequestLog } from '../requests/request-log'
import { describePhases } from '../requests/phases'
import { keepKnownParam } from '../docs/param-name'
import { CLIENT_CLOSED_REQUEST, type ErrorCode } from '../errors'
import { describeError, getLog } from '../log'
import { createOncePerPeriod } from '../once-per-period'
import { singleton } from '../registry'
import { telemetry } from '../telemetry/telemetry'
import type { RunningRequest } from '../requests/request'

/**
 * Records a request when its response ends. It gets a row in the account's request log if the account is known, then a
 * trace, then a line in the service log. Frequent refusals get none of them (see `shouldLog`). Metrics count every
 * request. Each step is a listener of its own, so that the others still run if one throws. They run in this order.
 */
export function recordAtEnd(request: RunningRequest): void {
  const { response } = request
  let row: RequestRow | undefined
  let isToBeLogged = false
  response.onEnd(() => {
    isToBeLogged = shouldLog(request)
    row = isToBeLogged ? describeRow(request) : undefined
    if (row) getRequestLog().add(row)
  })
  let traceId: string | undefined
  response.onEnd(() => {
    if (isToBeLogged) traceId = telemetry().traceRequest?.(request)
  })
  response.onEnd(() => {
    if (isToBeLogged) writeLogLine(request, row?.credits ?? 0, traceId)
  })
  response.onEnd(() => telemetry().countRequest?.(request))
}

/** Minimum milliseconds between two log entries of an account for a refusal before any work. */
const LOG_INTERVAL_MS: Partial<Record<ErrorCode, number>> = { insufficient_credits: 60_000, rate_limited: 1000 }

/**
 * Returns whether a request is logged. Refusals are free. Without this limit, a client that retries at once would fill
 * the log and load the database.
 */
function shouldLog({ caller, answered }: RunningRequest): boolean {
  const code = answered?.error?.code
  const everyMs = code && LOG_INTERVAL_MS[code]
  if (!caller || !everyMs) return true
  return singleton(`noted-${code}`, () => createOncePerPeriod(everyMs)).isDue(caller.accountId)
}

function writeLogLine(request: RunningRequest, charged: number, traceId: string | undefined): void {
  const { answered, caller, charge, response } = request
  const error = answered?.error
  const line = {
    requestId: request.requestId,
    traceId,
    operation: request.operationId,
    steps: request.steps,
    accountId: caller?.accountId,
    via: caller?.via,
    status: answered?.status,
    error: error?.code,
    reason: error?.reason,
    delivered: response.end === 'delivered',
    slowReader: response.end === 'cut-off' || undefined,
    charged,
    replayed: charge?.replayed || undefined,
    warnings: request.warnings.size > 0 ? [...request.warnings] : undefined,
    bytesIn: request.bytesIn,
    bytesOut: request.bytesOut,
    ms: { ...roundAll(request.timings), total: round(performance.now() - request.receivedAtMs) },
    cause: error?.cause === undefined ? undefined : describeError(error.cause),
  }
  if (line.cause !== undefined && answered && answered.status >= 500) getLog().error(line, 'request failed')
  else getLog().info(line, 'call')
}

/** The most characters of an error message that the request log keeps. */
const MAX_MESSAGE = 500

/**
 * Returns the row of the request log. Undefined if no account was authenticated, as in a trial. The row contains no
 * file name and no content. Its message is the one that the client got, which can repeat names and values of options.
 */
function describeRow(request: RunningRequest): RequestRow | undefined {
  const { answered, caller, charge, operationId, response } = request
  if (!caller || caller.via === 'trial' || operationId === undefined) return undefined
  const error = answered?.error
  const isDelivered = response.end === 'delivered' && answered !== undefined
  const [problem] = error?.problems ?? []
  const endedAtMs = performance.now()
  const ms = endedAtMs - request.receivedAtMs
  return {
    id: request.requestId,
    accountId: caller.accountId,
    at: new Date(Date.now() - ms).toISOString(),
    operation: operationId,
    steps: request.steps?.join() ?? null,
    via: caller.via,
    status: answered?.status ?? CLIENT_CLOSED_REQUEST,
    error: error?.code ?? null,
    reason: error?.reason ?? null,
    message: error?.message.slice(0, MAX_MESSAGE) ?? null,
    param: problem === undefined ? null : keepKnownParam(operationId, problem.param),
    ms: Math.round(ms),
    engineMs: request.engineMs === undefined ? null : Math.round(request.engineMs),
    phases: describePhases(request, endedAtMs),
    bytesIn: request.bytesIn,
    bytesOut: request.bytesOut,
    credits: isDelivered && !error ? (charge?.charged ?? 0) : 0,
    replayed: charge?.replayed ?? false,
    delivered: isDelivered,
    browserOrigin: request.warnings.has('browser-origin'),
    hasIdempotencyKey: request.hasIdempotencyKey ?? false,
    keyId: caller.key?.id ?? null,
    keyLast4: caller.key?.last4 ?? null,
    ...request.client,
  }
}

function roundAll(timings: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, round(ms)]))
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
