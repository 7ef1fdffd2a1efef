import type { SpanContext } from '@opentelemetry/api'

/**
 * Returns the parent span of a request, from its header `traceparent` (W3C Trace Context, version 00 and compatible
 * later versions). Undefined if the header is missing or malformed. `tracestate` is ignored, because it would pass on a
 * text from the client.
 */
export function readTraceParent(header: unknown): SpanContext | undefined {
  const match =
    typeof header === 'string' ? /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) : null
  if (!match) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', extraFields] = match
  if (
    version === 'ff' ||
    (version === '00' && extraFields !== undefined) ||
    /^0+$/.test(traceId) ||
    /^0+$/.test(spanId)
  )
    return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
