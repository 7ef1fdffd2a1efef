import { randomUUID } from 'node:crypto'
import type * as Api from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import packageJson from '../../package.json' with { type: 'json' }
import type { RunningRequest } from '../requests/request'
import { type RequestSpan, describeSpans } from './request-spans'
import { readTraceParent } from './trace-parent'

/** Traces of requests, sent to a collector in batches. */
export interface Tracing {
  /** Creates the spans of a finished request. Returns its trace ID, unless the request isn't sampled. */
  traceRequest(request: RunningRequest): string | undefined
  /** Sends the remaining spans, within some seconds. */
  close(): Promise<void>
}

const LAST_BATCH_MS = 3000
const TROUBLE_EVERY_MS = 60_000

/**
 * Starts tracing with OpenTelemetry's own variables, which its packages read for the endpoint and sampling. The
 * packages are loaded here, so a service without traces doesn't load them. Nothing is registered globally. Otherwise
 * Next.js would trace its requests too, with their URLs.
 *
 * Spans are created after the response, so a slow or unavailable collector delays no request. Spans that the collector
 * doesn't accept are dropped.
 */
export async function startTracing(onTrouble: (error: unknown) => void): Promise<Tracing> {
  const [
    api,
    { NodeTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { detectResources, envDetector, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const serviceResource = resourceFromAttributes({
    'service.name': 'sheaf',
    'service.version': packageJson.version,
    'service.instance.id': randomUUID(),
  })
  const provider = new NodeTracerProvider({
    resource: serviceResource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportFailures(new OTLPTraceExporter(), onTrouble))],
  })
  const tracer = provider.getTracer('sheaf', packageJson.version)
  return {
    traceRequest: request => traceRequest(api, tracer, request),
    async close() {
      const timer = new Promise(resolve => setTimeout(resolve, LAST_BATCH_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), timer]) // The exporter has already reported the error.
    },
  }
}

function traceRequest(api: typeof Api, tracer: Api.Tracer, request: RunningRequest): string | undefined {
  const nowMs = performance.now()
  const epochMs = Date.now() - nowMs // The system clock may have changed since the process started.
  const parent = readTraceParent(request.headers['traceparent'])
  const parentContext = parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
  const createSpan = (
    { name, startedAtMs, ms, attributes, parts }: RequestSpan,
    context: Api.Context,
    kind: Api.SpanKind,
  ): Api.Span => {
    const span = tracer.startSpan(name, { kind, attributes, startTime: epochMs + startedAtMs }, context)
    if (span.isRecording()) {
      const childContext = api.trace.setSpan(context, span)
      for (const part of parts) createSpan(part, childContext, api.SpanKind.INTERNAL)
      if (kind === api.SpanKind.SERVER && (request.answered?.status ?? 0) >= 500)
        span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    span.end(epochMs + startedAtMs + ms)
    return span
  }
  const span = createSpan(describeSpans(request, nowMs), parentContext, api.SpanKind.SERVER)
  return span.isRecording() || parent !== undefined || (span.spanContext().traceFlags & 1) === 1
    ? span.spanContext().traceId
    : undefined
}

/** Reports batches that failed to send, at most once a minute. */
function reportFailures(exporter: SpanExporter, onTrouble: (error: unknown) => void): SpanExporter {
  let reportedAtMs = -Infinity
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.error !== undefined && performance.now() - reportedAtMs > TROUBLE_EVERY_MS) {
          reportedAtMs = performance.now()
          onTrouble(result.error)
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
