import type { ReceivedRequest } from '../../requests/request'
import { describeClient, limitedNetwork } from '../../requests/client-details'
import { getConfig } from '../../config'
import { SocketResponse } from '../connection/socket-response'
import type { Exchange } from '../../http-exchange'
import { readBody } from './read-body'

/** Returns the request of an exchange. Its body has our own limits from now on. */
export function openHttpRequest(exchange: Exchange): ReceivedRequest {
  const { req, res, requestId, receivedAtMs, method } = exchange
  exchange.readsBody = true
  return {
    requestId,
    receivedAtMs,
    method,
    url: req.url ?? '/',
    headers: req.headers,
    client: describeClient(req),
    network: limitedNetwork(req),
    response: new SocketResponse(exchange),
    receive(reader, limits) {
      const { BODY_STALL_MS, BODY_MIN_RATE } = getConfig()
      // The client waits for this before it sends the body (RFC 9110 §10.1.1).
      if (req.headers.expect !== undefined) res.writeContinue()
      return readBody(req, reader, { ...limits, stallMs: BODY_STALL_MS, minRate: BODY_MIN_RATE })
    },
  }
}
