import type { OutgoingHttpHeaders } from 'node:http'
import type { RunningRequest, ReceivedRequest } from '../../requests/request'
import { ClientGone } from './client-gone'

/** Starts a request. */
export function openRequest(received: ReceivedRequest, operationId: string | undefined): RunningRequest {
  const controller = new AbortController()
  const request: RunningRequest = {
    ...received,
    operationId,
    timings: {},
    startedAtMs: {},
    warnings: new Set(received.headers.origin === undefined ? [] : ['browser-origin']),
    unknownFields: [],
    bytesIn: 0,
    bytesOut: 0,
    signal: controller.signal,
    async measure(phase, step) {
      const started = (request.startedAtMs[phase] = performance.now())
      try {
        return await step()
      } finally {
        request.timings[phase] = performance.now() - started
      }
    },
  }
  received.response.onEnd(end => {
    if (end !== 'delivered') controller.abort(new ClientGone('The client hung up'))
  })
  return request
}

/** `Server-Timing` of a request (W3C Server Timing), such as `auth;dur=0.61, body;dur=12.08`. */
export function writeServerTiming(request: RunningRequest): string {
  return Object.entries(request.timings)
    .filter(([phase]) => /^[a-z-]+$/.test(phase))
    .map(([phase, ms]) => `${phase};dur=${ms.toFixed(2)}`)
    .join(', ')
}

/** Returns the credit headers of an authenticated request. */
export function writeCreditHeaders(balance: number, charged: 0 | 1): OutgoingHttpHeaders {
  return { 'X-Credits-Charged': String(charged), 'X-Credit-Balance': String(balance) }
}
