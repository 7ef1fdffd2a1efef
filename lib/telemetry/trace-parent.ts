import type { SpanContext } from '@opentelemetry/api'

/**
 * The span that a request belongs to, of its header `traceparent` (W3C Trace Context, version 00 and what later ones
 * have in common with it); undefined when there is none or it is malformed. `tracestate` is left: it would hand a text
 * of the client's on.
 */
export function readTraceParent(header: unknown): SpanContext | undefined {
  const found =
    typeof header === 'string' ? /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) : null
  if (!found) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = found
  if (version === 'ff' || (version === '00' && rest !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
