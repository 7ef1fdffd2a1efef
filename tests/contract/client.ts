import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** A complete response. */
export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The body of an error. Empty for files. */
  json: Record<string, unknown>
  requestId: string
  /** X-Credits-Charged and X-Credit-Balance. Undefined if the response has none. */
  charged: number | undefined
  balance: number | undefined
  warnings: string[]
}

/** A file to upload. */
export interface Upload {
  name: string
  bytes: Buffer
}

/** A request. `path` is relative to the service's URL. */
export interface Outgoing {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
}

/** A part of a form: text, or a file if it has a file name. */
export interface Part {
  name?: string
  fileName?: string
  value: string | Buffer
}

/** Requests with one key. */
export interface Client {
  base: string
  apiKey: string
  send(outgoing: Outgoing): Promise<ApiResponse>
  sendJson(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  sendForm(path: string, parts: Part[], headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends a tool request in JSON: one file as `file`, an array as `files`. */
  callTool(
    toolId: string,
    files: Upload | Upload[],
    options: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
  /** Sends a tool request as a form, with the same fields. */
  callToolAsForm(
    toolId: string,
    files: Upload | Upload[],
    options: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
  /** The balance, read from a request that is refused because of its Content-Type. */
  balance(): Promise<number>
}

export const BOUNDARY = 'sheaf-contract-boundary'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The path of a tool. */
export function toolPath(toolId: string): string {
  return `/api/external/pdf-tools/${toolId}`
}

/** A client of a service with a key. */
export function createClient(base: string, apiKey: string): Client {
  const send = (outgoing: Outgoing) =>
    sendRequest(base, { ...outgoing, headers: { 'x-api-key': apiKey, ...outgoing.headers } })
  const sendJson: Client['sendJson'] = (path, body, headers) =>
    send({ path, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  const sendForm: Client['sendForm'] = (path, parts, headers) =>
    send({ path, body: writeForm(parts), headers: { 'content-type': FORM_TYPE, ...headers } })
  return {
    base,
    apiKey,
    send,
    sendJson,
    sendForm,
    callTool: (toolId, files, options, headers) => sendJson(toolPath(toolId), writeToolBody(files, options), headers),
    callToolAsForm(toolId, files, options, headers) {
      const fileParts = Array.isArray(files) ? files.map(file => toPart('files', file)) : [toPart('file', files)]
      return sendForm(toolPath(toolId), [...fileParts, { name: 'options', value: JSON.stringify(options) }], headers)
    },
    async balance() {
      const { balance } = await send({
        path: toolPath('rotate-pdf'),
        body: 'what is left?',
        headers: { 'content-type': 'text/plain' },
      })
      if (balance === undefined) throw new Error('the answer tells no balance')
      return balance
    },
  }
}

/** The JSON body of a tool request. */
export function writeToolBody(files: Upload | Upload[], options: unknown): Record<string, unknown> {
  return Array.isArray(files) ? { files: files.map(toFileInput), options } : { file: toFileInput(files), options }
}

/** A FileInput. */
export function toFileInput({ name, bytes }: Upload): { name: string; dataBase64: string } {
  return { name, dataBase64: bytes.toString('base64') }
}

/** A file part of a form. */
export function toPart(name: string, { name: fileName, bytes }: Upload): Part {
  return { name, fileName, value: bytes }
}

/**
 * A multipart body (RFC 7578) as browsers write it: in UTF-8, with quotes and line breaks in names as percent signs.
 */
function writeForm(parts: Part[]): Buffer {
  const escape = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const pieces = parts.flatMap(({ name, fileName, value }) => {
    const disposition = [
      'form-data',
      ...(name === undefined ? [] : [`name="${escape(name)}"`]),
      ...(fileName === undefined ? [] : [`filename="${escape(fileName)}"`]),
    ].join('; ')
    const type = fileName === undefined ? '' : 'Content-Type: application/pdf\r\n'
    return [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** Sends one request on a new connection and reads the response. Rejects if the connection ends early. */
export function sendRequest(
  base: string,
  { path, method = 'POST', headers = {}, body, signal }: Outgoing,
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(`${base}${path}`, {
      method,
      headers: { ...length, ...headers },
      agent: false,
      ...(signal ? { signal } : {}),
    })
    outgoing.on('response', response => void readResponse(response).then(resolve, reject))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function readResponse(response: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer) // The stream has no encoding, so chunks are buffers.
  return describeResponse(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))
}

/** Builds a response from its status, headers and body. */
export function describeResponse(status: number, headers: IncomingHttpHeaders, bytes: Buffer): ApiResponse {
  const isJson = headers['content-type']?.startsWith('application/json') && bytes.length > 0
  return {
    status,
    headers,
    bytes,
    json: isJson ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : {},
    requestId: String(headers['x-request-id'] ?? ''),
    charged: readNumber(headers['x-credits-charged']),
    balance: readNumber(headers['x-credit-balance']),
    warnings: String(headers['x-warnings'] ?? '')
      .split(', ')
      .filter(warning => warning !== ''),
  }
}

function readNumber(header: string | string[] | undefined): number | undefined {
  return header === undefined ? undefined : Number(header)
}

/** Repeats `look` until `isSo` accepts its value, and returns that value. Throws at the deadline. */
export async function eventually<T>(
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  deadlineMs = 90_000,
): Promise<T> {
  const until = performance.now() + deadlineMs
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (performance.now() > until) throw new Error(`after ${deadlineMs} ms it is still ${JSON.stringify(seen)}`)
    await wait(20)
  }
}

/** The number of running requests, from the health probe. */
export async function readCalls(base: string): Promise<{ running: number; waiting: number }> {
  const { json } = await sendRequest(base, { path: '/api/health', method: 'GET' })
  return json['calls'] as { running: number; waiting: number } // The probe's documented format.
}

/**
 * Options of split-pdf that keep an engine busy with a document of at least 20 pages. 1,000 parts take 2 s on an idle
 * machine.
 */
export function slowSplit(parts: number): { ranges: string[] } {
  return { ranges: Array.from({ length: parts }, () => '1-20') }
}

/** The databases of this run that several services can share: `Postgres` or none. */
export const SHARED_DATABASES = process.env['TEST_DATABASE'] === 'postgres' ? ['Postgres'] : []
