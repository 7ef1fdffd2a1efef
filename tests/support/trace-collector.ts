import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span in OTLP/HTTP JSON. Times are nanoseconds since 1970 as text. */
export interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

interface Batch {
  resourceSpans: { resource: { attributes: SentSpan['attributes'] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

/** A collector on loopback that stores what it receives. A silent collector accepts connections and never responds. */
export async function startCollector({ isSilent = false } = {}) {
  const spans: SentSpan[] = []
  const seen = { requests: 0, path: '', contentType: '', resource: {} as Record<string, unknown> }
  const server = createServer((req, res) => {
    seen.requests += 1
    if (isSilent) return
    void json(req).then(body => {
      seen.path = req.url ?? ''
      seen.contentType = req.headers['content-type'] ?? ''
      for (const { resource, scopeSpans } of (body as Batch).resourceSpans) {
        seen.resource = readAttributes(resource.attributes)
        spans.push(...scopeSpans.flatMap(scope => scope.spans))
      }
      res.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // The server listens on a port.
  return {
    spans,
    seen,
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Attributes by name. */
export function readAttributes(attributes: SentSpan['attributes']): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
