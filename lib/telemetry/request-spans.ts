import { CLIENT_CLOSED_REQUEST } from '../errors'
import type { RunningRequest } from '../requests/request'

type Attributes = Record<string, string | number | boolean>

/** A span to create for a request. Its times are those of `performance.now()`. */
export interface RequestSpan {
  name: string
  startedAtMs: number
  ms: number
  attributes: Attributes
  /** Child spans in order of their start. */
  parts: RequestSpan[]
}

const PLAYGROUND = '/api/account/playground/'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/**
 * Returns the spans of a finished request: the request with attributes of OpenTelemetry's HTTP conventions and our own,
 * and its phases. They contain no text from the client.
 */
export function describeSpans(request: RunningRequest, endedAtMs: number): RequestSpan {
  const { operationId, requestId, answered, caller, charge, bytesIn, bytesOut } = request
  const method = METHODS.has(request.method) ? request.method : '_OTHER'
  const route =
    operationId === undefined
      ? undefined
      : `${request.url.startsWith(PLAYGROUND) ? PLAYGROUND : '/api/external/'}${operationId}`
  const code = answered?.error?.code
  return {
    name: route === undefined ? method : `${method} ${route}`,
    startedAtMs: request.receivedAtMs,
    ms: endedAtMs - request.receivedAtMs,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': answered?.status ?? CLIENT_CLOSED_REQUEST,
      'http.request.body.size': bytesIn,
      'http.response.body.size': bytesOut,
      'sheaf.request_id': requestId,
      'sheaf.delivered': request.response.end === 'delivered',
      'sheaf.replayed': charge?.replayed ?? false,
      ...(route === undefined ? {} : { 'http.route': route }),
      ...(operationId === undefined ? {} : { 'sheaf.operation': operationId }),
      ...(caller === undefined ? {} : { 'sheaf.via': caller.via }),
      ...(code === undefined ? {} : { 'error.type': code }),
    },
    parts: describeParts(request),
  }
}

/**
 * Returns the phases measured here, and the run with the consecutive phases of the engine and the browser. These are
 * measured by several processes, so that they can overlap by moments. None of them ends after the run.
 */
function describeParts({ timings, startedAtMs, ran }: RunningRequest): RequestSpan[] {
  const parts: RequestSpan[] = []
  const partsOfRun: RequestSpan[] = []
  let at = ran?.startedAtMs ?? 0
  const end = at + (ran?.ms ?? 0)
  for (const [name, ms] of Object.entries(timings)) {
    const measured = startedAtMs[name]
    if (measured !== undefined) {
      parts.push({ name, startedAtMs: measured, ms, attributes: {}, parts: [] })
      continue
    }
    const lasted = Math.min(ms, end - at)
    partsOfRun.push({ name, startedAtMs: at, ms: lasted, attributes: {}, parts: [] })
    at += lasted
  }
  return ran === undefined ? parts : [...parts, { name: 'run', ...ran, attributes: {}, parts: partsOfRun }]
}
