import type * as Prom from 'prom-client'
import { CLIENT_CLOSED_REQUEST, ERROR_STATUS } from '../errors'
import type { RunningRequest } from '../requests/request'
import type { Telemetry } from '../telemetry/telemetry'

/** Upper bounds in seconds, from the work on a one-page file to the longest OCR. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]
/** Coarser buckets, because a request has ten phases. */
const PHASE_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Phases of a request (serve.ts), of an engine (engine-process.ts) and of a printed page (render.ts). */
const PHASES = new Set([
  'auth',
  'body',
  'parse',
  'fetch',
  'wait',
  'charge',
  'queue',
  'send',
  'open',
  'work',
  'save',
  'context',
  'load',
  'settle',
  'print',
])
const CREDIT_KINDS = ['charge', 'refund', 'grant', 'purchase'] as const
/** Replaces label values that aren't declared, so that no client creates new series. */
const OTHER = 'other'

/** Registers the metrics of requests and credits. */
export function createRequestMetrics(
  prom: typeof Prom,
  registry: Prom.Registry,
): Required<Pick<Telemetry, 'countRequest' | 'countCredits'>> {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new prom.Counter({ name, help, labelNames, registers })
  const requests = counter(
    'sheaf_calls_total',
    'Finished requests by operation, status and error code. 499: the client closed the connection.',
    'operation',
    'status',
    'error',
  )
  const bytesIn = counter('sheaf_request_body_bytes_total', 'Bytes of request bodies.', 'operation')
  const bytesOut = counter('sheaf_response_body_bytes_total', 'Bytes of response bodies.', 'operation')
  const engine = counter(
    'sheaf_engine_seconds_total',
    'Processing seconds of successful requests in engines and browser, without waiting.',
    'operation',
  )
  const steps = counter('sheaf_pipeline_steps_total', 'Steps of finished pipelines, by tool.', 'tool')
  const ocrPages = counter('sheaf_ocr_pages_total', 'Pages processed with OCR.')
  const credits = counter('sheaf_credits_total', 'Credits that this instance booked, by kind.', 'kind')
  const duration = new prom.Histogram({
    name: 'sheaf_call_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const phases = new prom.Histogram({
    name: 'sheaf_call_phase_duration_seconds',
    help: 'Time of each phase of a request, as in Server-Timing.',
    labelNames: ['operation', 'phase'],
    buckets: PHASE_BUCKETS,
    registers,
  })
  // Without the initial 0, the first event wouldn't show as an increase.
  for (const kind of CREDIT_KINDS) credits.inc({ kind }, 0)

  return {
    countRequest(request) {
      const operation = request.operationId ?? OTHER // Only the IDs of declared operations (serve.ts).
      requests.inc({ operation, status: request.answered?.status ?? CLIENT_CLOSED_REQUEST, error: nameError(request) })
      duration.observe({ operation }, Math.max(0, performance.now() - request.receivedAtMs) / 1000)
      for (const [phase, ms] of Object.entries(request.timings))
        phases.observe({ operation, phase: PHASES.has(phase) ? phase : OTHER }, ms / 1000)
      if (request.bytesIn > 0) bytesIn.inc({ operation }, request.bytesIn)
      if (request.bytesOut > 0) bytesOut.inc({ operation }, request.bytesOut)
      if (request.engineMs !== undefined) engine.inc({ operation }, request.engineMs / 1000)
      for (const tool of request.steps ?? []) steps.inc({ tool })
      ocrPages.inc(Number(request.answered?.headers?.['X-OCR-Pages'] ?? 0))
    },
    countCredits: (kind, amount) => credits.inc({ kind }, amount),
  }
}

function nameError({ answered }: RunningRequest): string {
  const code = answered?.error?.code
  if (code === undefined) return ''
  return Object.hasOwn(ERROR_STATUS, code) ? code : OTHER
}
