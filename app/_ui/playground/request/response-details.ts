import type { PlacedProblem } from '../form/field-path'
import { parseParam } from '../form/field-path'

/** The file of a successful response. */
export interface FileOutcome {
  kind: 'file'
  blob: Blob
  name: string
  contentType: string
}

/** An error response, in the service's words. */
export interface ErrorOutcome {
  kind: 'error'
  code: string
  reason: string | undefined
  message: string
  requestId: string | undefined
  problems: PlacedProblem[]
}

/** Details that every response has. */
export interface ResponseFacts {
  status: number
  /** Time from the click to the last byte. */
  totalMs: number
  headers: [string, string][]
  /** Undefined if the request log doesn't contain the request. */
  loggedId: string | undefined
  /** Phases of Server-Timing in their order, in milliseconds. */
  phases: { name: string; ms: number }[]
  balance: number | undefined
  charged: number | undefined
  warnings: string[]
  unknownFields: string[]
}

export type PlaygroundResponse = ResponseFacts & { outcome: FileOutcome | ErrorOutcome }

/** Parses the result of getAllResponseHeaders, which has one header per line in alphabetical order. */
export function parseHeaders(text: string): [string, string][] {
  return text
    .split(/\r?\n/)
    .filter(line => line.includes(':'))
    .map(line => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
}

/** Returns the details in a response's headers. */
export function readFacts(status: number, totalMs: number, headers: [string, string][]): ResponseFacts {
  const headerMap = new Map(headers)
  const number = (name: string) => (headerMap.has(name) ? Number(headerMap.get(name)) : undefined)
  const words = (name: string) =>
    (headerMap.get(name) ?? '')
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== '')
  return {
    status,
    totalMs,
    headers,
    // Requests without an account aren't logged.
    loggedId: status === 401 ? undefined : headerMap.get('x-request-id'),
    phases: words('server-timing').flatMap(word => parsePhase(word) ?? []),
    balance: number('x-credit-balance'),
    charged: number('x-credits-charged'),
    warnings: words('x-warnings').filter(code => code !== 'browser-origin'),
    unknownFields: words('x-unknown-fields').map(decodeName),
  }
}

/** Decodes a percent-encoded name. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function parsePhase(word: string): { name: string; ms: number } | undefined {
  const match = /^([\w-]+);dur=([\d.]+)$/.exec(word)
  return match?.[1] === undefined ? undefined : { name: match[1], ms: Number(match[2]) }
}

/** Returns the file name in a Content-Disposition. The UTF-8 form comes first (RFC 6266, 4.3). */
export function readFileName(disposition: string | undefined, otherwise: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // We didn't write this name, so the plain form is used.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] ?? otherwise
}

/** Parses an error body. If there is an `optionsKey`, the `param` of each option begins with it. */
export function readError(text: string, optionsKey: string | undefined): ErrorOutcome {
  const body = parseObject(text)
  const message = textOf(body['message']) ?? 'The server returned an unknown response. Try again.'
  const listedProblems = Array.isArray(body['problems']) ? body['problems'].map(one => asObject(one)) : []
  const bodyProblems =
    listedProblems.length > 0 ? listedProblems : body['param'] === undefined ? [] : [{ param: body['param'], message }]
  return {
    kind: 'error',
    code: textOf(body['error']) ?? 'unknown',
    reason: textOf(body['reason']),
    message,
    requestId: textOf(body['requestId']),
    problems: bodyProblems.map(one =>
      placeProblem(textOf(one['param']), textOf(one['message']) ?? message, optionsKey),
    ),
  }
}

function placeProblem(param: string | undefined, message: string, optionsKey: string | undefined): PlacedProblem {
  if (param === undefined) return { path: undefined, message }
  const sentence = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  const path = parseParam(param)
  const isOption = optionsKey === undefined || path?.[0] === optionsKey
  return { path: isOption ? path?.slice(optionsKey === undefined ? 0 : 1) : undefined, param, message: sentence }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function asObject(value: unknown): Record<string, unknown> {
  // Only claims that an object's members are unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
