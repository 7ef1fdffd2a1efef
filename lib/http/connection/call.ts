import type { OutgoingHttpHeaders } from 'node:http'
import type { Call } from '../../calls/call'
import { describeClient } from '../../calls/call-client'
import { ClientGone } from './client-gone'
import type { Exchange } from '../../http-exchange'

/** Starts a call. `onEnd` runs when the connection is done with the call. */
export function openCall(exchange: Exchange, operationId: string | undefined, onEnd: (call: Call) => void): Call {
  const { req, res } = exchange
  const controller = new AbortController()
  exchange.readsBody = true
  const call: Call = {
    ...exchange,
    operationId,
    client: describeClient(req),
    timings: {},
    startedAtMs: {},
    warnings: new Set(req.headers.origin === undefined ? [] : ['browser-origin']),
    unknownFields: [],
    bytesIn: 0,
    bytesOut: 0,
    bytesWritten: 0,
    signal: controller.signal,
    async measure(phase, step) {
      const started = (call.startedAtMs[phase] = performance.now())
      try {
        return await step()
      } finally {
        call.timings[phase] = performance.now() - started
      }
    },
  }
  const onClose = () => {
    if (!res.writableFinished) controller.abort(new ClientGone('The client hung up'))
    onEnd(call)
  }
  if (res.closed) onClose()
  else res.once('close', onClose)
  return call
}

/** `Server-Timing` of a call (W3C Server Timing), such as `auth;dur=0.61, body;dur=12.08`. */
export function writeServerTiming(call: Call): string {
  return Object.entries(call.timings)
    .filter(([phase]) => /^[a-z-]+$/.test(phase))
    .map(([phase, ms]) => `${phase};dur=${ms.toFixed(2)}`)
    .join(', ')
}

/** Returns the credit headers of an authenticated request. */
export function writeCreditHeaders(balance: number, charged: 0 | 1): OutgoingHttpHeaders {
  return { 'X-Credits-Charged': String(charged), 'X-Credit-Balance': String(balance) }
}
