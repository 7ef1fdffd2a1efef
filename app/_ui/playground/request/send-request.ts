import { type PlaygroundResponse, parseHeaders, readError, readFacts, readFileName } from './response-details'
import type { PlaygroundEndpoint } from './playground-endpoint'
import { playgroundPath } from './playground-endpoint'
import { writeBody, writeRequest } from './request-body'
import type { JsonObject } from '../form/field-shapes'

/** Bytes of the request that were sent. All bytes are sent while the service works. */
export interface UploadProgress {
  sent: number
  total: number
}

/** What sending a request needs to know about its endpoint. */
export type TargetEndpoint = Pick<PlaygroundEndpoint, 'path' | 'files' | 'optionsKey' | 'responseName'>

/** A request that the browser sends, and what happens meanwhile. */
export interface Sending {
  endpoint: TargetEndpoint
  options: JsonObject
  files: File[]
  onProgress: (progress: UploadProgress) => void
  signal: AbortSignal
}

/** Thrown if no response arrived. The message is for people. */
export class SendError extends Error {}

/**
 * Sends a request as the signed-in account and returns any response. Rejects with a SendError if no response arrived or
 * the request was canceled.
 */
export function sendRequest(sending: Sending): Promise<PlaygroundResponse> {
  const { endpoint, options, files } = sending
  return post(sending, {
    path: playgroundPath(endpoint.path),
    ...writeBody(writeRequest(endpoint, options, files.length > 0), files),
  })
}

/** Sends a request of a visitor without an account. It names sample files and contains none. Otherwise like `sendRequest`. */
export function sendTrial(sending: Sending): Promise<PlaygroundResponse> {
  const { endpoint, options, files } = sending
  return post(sending, {
    path: endpoint.path.replace(/^\/api\/external\/pdf-tools\//, '/api/try/'),
    body: JSON.stringify({ files: files.map(({ name }) => name), options }),
    contentType: 'application/json',
  })
}

/** Uses XMLHttpRequest, because fetch doesn't report upload progress. */
function post(
  { endpoint, files, onProgress, signal }: Sending,
  { path, body, contentType }: { path: string; body: FormData | string; contentType: string | undefined },
): Promise<PlaygroundResponse> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', path)
    request.responseType = 'blob'
    if (contentType !== undefined) request.setRequestHeader('content-type', contentType)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }))
    request.addEventListener('load', () => {
      readResponse(request, performance.now() - started, endpoint).then(resolve, reject)
    })
    request.addEventListener('error', () => {
      explainMissingResponse(files).then(sentence => reject(new SendError(sentence)), reject)
    })
    request.addEventListener('abort', () => reject(new SendError(`Canceled. ${PRICE_WITHOUT_RESPONSE}`)))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(body)
  })
}

async function readResponse(
  request: XMLHttpRequest,
  totalMs: number,
  endpoint: TargetEndpoint,
): Promise<PlaygroundResponse> {
  const headers = parseHeaders(request.getAllResponseHeaders())
  const facts = readFacts(request.status, totalMs, headers)
  const blob = request.response as Blob // The responseType is blob.
  if (request.status !== 200) return { ...facts, outcome: readError(await blob.text(), endpoint.optionsKey) }
  const headerMap = new Map(headers)
  const contentType = (headerMap.get('content-type') ?? '').replace(/;.*$/, '')
  return {
    ...facts,
    outcome: {
      kind: 'file',
      blob,
      name: readFileName(headerMap.get('content-disposition'), endpoint.responseName),
      contentType,
    },
  }
}

/** The server can't see whether the last bytes of a response arrive. */
const PRICE_WITHOUT_RESPONSE =
  'A request is charged only if its whole response was sent. The request log shows its price.'

/** Explains a missing response. Browsers give no reason, but a file that was changed or removed can be detected. */
async function explainMissingResponse(files: File[]): Promise<string> {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer()
    } catch {
      return `${file.name} changed or moved since you chose it. Choose the file again, then run.`
    }
  }
  return (
    'The server isn’t reachable. Your files and options are still here. Check your connection and run again. ' +
    PRICE_WITHOUT_RESPONSE
  )
}
