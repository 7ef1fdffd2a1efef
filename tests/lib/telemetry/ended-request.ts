import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { RequestError, type ErrorCode } from '../../../lib/errors'
import type { RunningRequest } from '../../../lib/requests/request'
import { openRequest } from '../../../lib/http/connection/running-request'
import { openHttpRequest } from '../../../lib/http/request/http-request'

interface EndedRequest {
  operationId?: string
  status?: number
  error?: ErrorCode
  timings?: Record<string, number>
  engineMs?: number
  bytesIn?: number
  bytesOut?: number
  headers?: IncomingHttpHeaders
  responseHeaders?: Record<string, string>
}

/** A request after its connection ended, over a real exchange on this machine. */
export async function makeEndedRequest(facts: EndedRequest): Promise<RunningRequest> {
  const { operationId, status = 200, error, headers = {}, responseHeaders = {}, ...others } = facts
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // The server listens on a port.
  const answered = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const asked = fetch(`http://127.0.0.1:${port}/api/external/x`, {
    method: 'POST',
    headers: headers as Record<string, string>,
  })
  const [req, res] = await answered
  const exchange = {
    req,
    res,
    method: 'POST',
    requestId: 'req_test',
    receivedAtMs: performance.now() - 20,
    readsBody: true,
    isCutOff: false,
  }
  const call = openRequest(openHttpRequest(exchange), operationId)
  Object.assign(call, others, {
    answered: {
      status,
      headers: responseHeaders,
      ...(error === undefined ? {} : { error: new RequestError(error, 'refused') }),
    },
  })
  const ended = new Promise<void>(resolve => call.response.onEnd(() => resolve()))
  res.end()
  await (await asked).arrayBuffer()
  await ended
  server.close()
  return call
}
