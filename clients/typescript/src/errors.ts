import { maskUrl } from './urls.js'

/** A problem with one parameter. */
export interface Problem {
  /** Path of the parameter, such as `options.pages[2]`. */
  param?: string
  message: string
  /** ID of the broken rule of an electronic invoice, such as `BR-DE-15`. */
  rule?: string
}

/** The body of an error response. */
interface ErrorBody extends Problem {
  error: string
  reason?: string
  requestId?: string
  docs?: string
  problems?: Problem[]
}

/** The base class of all errors of this package. */
export class SheafError extends Error {
  override name = 'SheafError'
}

/** The API refused a request, or couldn't complete it. The request was not charged. */
export class SheafApiError extends SheafError {
  override name = 'SheafApiError'
  /** The HTTP status. */
  readonly status: number
  /** The error code, such as `invalid_api_key`. Codes are never renamed. Redirects have `redirected`. */
  readonly code: string
  /** Why the input could not be processed, such as `encrypted`. Undefined for other errors. */
  readonly reason: string | undefined
  /** Path of the invalid parameter, if one parameter caused the error. */
  readonly param: string | undefined
  /** All invalid parameters. Empty if the error has another cause. */
  readonly problems: readonly Problem[]
  /** ID of the request. Include it if you ask for help. */
  readonly requestId: string | undefined
  /** URL of this error in the documentation. */
  readonly docs: string | undefined
  /** Seconds to wait before a retry. Undefined if the response doesn't say. */
  readonly retryAfter: number | undefined
  /** The balance of the account. Undefined if the API didn't accept the key. */
  readonly creditBalance: number | undefined
  readonly headers: Headers

  constructor(status: number, headers: Headers, body: ErrorBody, note = '') {
    super(`${body.message}${note}`)
    const { error, reason, param, message, rule, problems, requestId, docs } = body
    this.status = status
    this.code = error
    this.reason = reason
    this.param = param
    this.problems = problems ?? (param === undefined ? [] : [{ param, message, ...(rule !== undefined && { rule }) }])
    this.requestId = requestId ?? headers.get('x-request-id') ?? undefined
    this.docs = docs
    this.retryAfter = readNumber(headers, 'retry-after')
    this.creditBalance = readNumber(headers, 'x-credit-balance')
    this.headers = headers
  }
}

/** No response arrived, or it ended early. */
export class SheafConnectionError extends SheafError {
  override name = 'SheafConnectionError'
  /** The key of the request. If it was charged, its repetition with this key within 24 hours costs nothing. */
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    { cause, idempotencyKey }: { cause?: unknown; idempotencyKey?: string | undefined } = {},
  ) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** A successful response isn't from the API, such as the login page of a proxy. The request isn't retried. */
export class SheafForeignResponseError extends SheafConnectionError {
  override name = 'SheafForeignResponseError'
}

/** A request and its download took longer than `timeoutMs`. */
export class SheafTimeoutError extends SheafConnectionError {
  override name = 'SheafTimeoutError'
}

/** Error bodies of the API are far shorter. */
const MOST_ERROR_LENGTH = 2 ** 20

/** Reads the error of a response to a request for `url`. Proxies respond with other bodies. */
export async function readError(
  response: Response,
  { url, note = '' }: { url: string; note?: string },
): Promise<SheafApiError> {
  const { status, headers } = response
  // Browsers hide the status of a redirect.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) return readRedirect(response, url)
  const text = await readStart(response)
  try {
    const body = JSON.parse(text) as ErrorBody
    if (typeof body.error === 'string' && typeof body.message === 'string')
      return new SheafApiError(status, headers, body, note)
  } catch {
    // The body isn't JSON.
  }
  const message = `The server responded with ${status} and no error of this API.`
  return new SheafApiError(status, headers, { error: 'unknown', message }, note)
}

/** A redirect isn't followed, because the key and the file would go to another URL. */
async function readRedirect({ status, headers, body }: Response, url: string): Promise<SheafApiError> {
  await body?.cancel().catch(() => undefined)
  const given = headers.get('location')
  const location = given === null ? undefined : maskUrl(given, url)
  const shown = new Headers(headers)
  shown.delete('location')
  if (location !== undefined) shown.set('location', location)
  const got = `${status === 0 ? '' : `${status}, `}a redirect${location === undefined ? '' : ` to ${location}`}`
  const message =
    `The server responded with ${got}. It isn't followed, so that the key and the file go nowhere else. ` +
    'If you trust that server, set baseUrl or SHEAF_BASE_URL to its URL, without the path of the endpoint.'
  return new SheafApiError(status, shown, { error: 'redirected', message })
}

/** Reads a body up to a limit, or as far as it arrives. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (reader && text.length < MOST_ERROR_LENGTH) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // The connection ended early.
  }
  await reader?.cancel().catch(() => undefined)
  return text
}

/** A header with a number. Undefined if it is missing. */
export function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text === null || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

/** The content type without parameters. Empty if it is missing. */
export function readContentType(headers: Headers): string {
  return (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()
}
