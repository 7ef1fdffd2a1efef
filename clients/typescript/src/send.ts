import {
  readContentType,
  readError,
  readNumber,
  SheafApiError,
  SheafConnectionError,
  SheafError,
  SheafForeignResponseError,
  SheafTimeoutError,
} from './errors.js'
import type { RequestBody } from './multipart.js'

/** Settings of one request. */
export interface RequestSettings {
  /** Identifies the request, so that a retry isn't charged again. Default: a random value. */
  idempotencyKey?: string
  /** Maximum time in milliseconds until the end of the download, for each attempt. Default: 300,000. */
  timeoutMs?: number
  /** Cancels the request and its retries. */
  signal?: AbortSignal
  /** Maximum number of retries after the first attempt. Default: 3. */
  maxRetries?: number
  /** Refuses unknown options instead of ignoring them. */
  strict?: boolean
}

/** A request to send. */
export interface Outgoing {
  url: string
  method: 'GET' | 'POST'
  apiKey: string
  body: RequestBody | undefined
  /** Possible content types of a successful response. */
  contentTypes: readonly string[]
  userAgent: string
  fetch: typeof fetch
  settings: RequestSettings
}

const USUAL_TIMEOUT_MS = 300_000
const USUAL_RETRIES = 3
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A longer `Retry-After` counts as this one. */
const LONGEST_RETRY_AFTER_S = 60
/** Proxies return 502 and 504 while a server restarts. */
const RETRY_STATUS = new Set([429, 500, 502, 503, 504])
const SENT_ONCE = ' The request was not retried, because a stream can be sent only once. Send a file, a Blob or bytes.'

/**
 * Sends a request until it succeeds, or until an error remains. The body of the response ends with an error when the time
 * is up. Throws a SheafError, or the reason of the signal.
 */
export async function send(outgoing: Outgoing): Promise<Response> {
  const { settings, body } = outgoing
  const isRepeatable = body?.isRepeatable ?? true
  const retries = isRepeatable ? (settings.maxRetries ?? USUAL_RETRIES) : 0
  const note = isRepeatable || settings.maxRetries === 0 ? '' : SENT_ONCE
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await sendOnce(outgoing, note)
    if (!(outcome instanceof SheafError)) return outcome
    if (attempt >= retries || !isRetryable(outcome)) throw outcome
    const retryAfter = outcome instanceof SheafApiError ? outcome.retryAfter : undefined
    await pause(retryDelayMs(attempt, retryAfter), settings.signal)
  }
}

function isRetryable(error: SheafError): boolean {
  if (error instanceof SheafApiError) return RETRY_STATUS.has(error.status) || error.code === 'request_in_progress'
  return error instanceof SheafConnectionError && !(error instanceof SheafForeignResponseError)
}

/** Sends a request once. Returns the error of a refusal, or one that says that no response arrived. */
async function sendOnce(outgoing: Outgoing, note: string): Promise<Response | SheafError> {
  const { url, method, apiKey, body, userAgent, settings } = outgoing
  const { signal, timeoutMs = USUAL_TIMEOUT_MS, strict } = settings
  signal?.throwIfAborted()
  const attempt = new AbortController()
  const timer = setTimeout(() => attempt.abort(), timeoutMs)
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.() // A result that nobody reads keeps no process alive.
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    headers: {
      'x-api-key': apiKey,
      'user-agent': userAgent,
      ...(body && { 'content-type': body.contentType }),
      ...(settings.idempotencyKey && { 'idempotency-key': settings.idempotencyKey }),
      ...(strict && { prefer: 'handling=strict' }),
    },
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, attempt.signal]) : attempt.signal,
    ...(body && { body: body.open(), duplex: 'half' }),
  }
  const { idempotencyKey } = settings
  const describe = (cause: unknown, message: string) =>
    attempt.signal.aborted
      ? new SheafTimeoutError(`No complete response within ${timeoutMs / 1000} seconds.${note}`, {
          cause,
          idempotencyKey,
        })
      : new SheafConnectionError(`${message}${note}`, { cause, idempotencyKey })
  let isWatched = false
  try {
    const response = await outgoing.fetch(url, init)
    if (!response.ok) {
      const isTemporary = RETRY_STATUS.has(response.status) || response.status === 409
      return await readError(response, { url, note: isTemporary ? note : '' })
    }
    if (!isOfApi(response, outgoing)) return await refuseForeign(response, outgoing)
    isWatched = true
    return watchBody(response, {
      end: () => clearTimeout(timer),
      describe: cause =>
        signal?.aborted ? signal.reason : describe(cause, 'The connection ended before the end of the file.'),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    return describe(cause, `The connection to ${new URL(url).origin} failed: ${reasonOf(cause)}.`)
  } finally {
    if (!isWatched) clearTimeout(timer)
  }
}

/** Proxies may respond with a page of their own. */
function isOfApi({ headers }: Response, { method, contentTypes }: Outgoing): boolean {
  return (
    headers.has('x-request-id') &&
    (method === 'GET' || readNumber(headers, 'x-credit-balance') !== undefined) &&
    contentTypes.includes(readContentType(headers))
  )
}

async function refuseForeign(
  { status, headers, body }: Response,
  { url, settings: { idempotencyKey } }: Outgoing,
): Promise<SheafForeignResponseError> {
  await body?.cancel().catch(() => undefined)
  const type = readContentType(headers) || 'no content type'
  return new SheafForeignResponseError(
    `${new URL(url).origin} responded with ${status} and ${type}, but not as this API. A proxy may have responded. ` +
      'Check the base URL and the network.',
    { idempotencyKey },
  )
}

/** Calls `end` when the body ends. `describe` returns the error if it breaks off. */
function watchBody(
  response: Response,
  { end, describe }: { end: () => void; describe: (cause: unknown) => unknown },
): Response {
  const reader = response.body?.getReader()
  if (!reader) {
    end()
    return response
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (cause) {
          end()
          controller.error(describe(cause))
        }
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, headers } = response
  return new Response(body, { status, headers })
}

/** Milliseconds until the next attempt. The first attempt is 0. */
export function retryDelayMs(attempt: number, retryAfter: number | undefined): number {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.75 + Math.random() / 2)
  const askedMs = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER_S) * 1000
  return retryAfter === undefined ? growing : Math.max(askedMs, growing / 4)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** fetch hides the reason in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
