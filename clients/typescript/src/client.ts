import { SheafError } from './errors.js'
import { encodeFile, encodeOptions, type FileInput, isByUrl, openFile, type OpenFile } from './files.js'
import { type RequestBody, writeForm, writeJson } from './multipart.js'
import { SheafResult } from './result.js'
import { type RequestSettings, send } from './send.js'
import { readBaseUrl } from './urls.js'
import { VERSION } from './version.js'

/** Settings of all requests of a client. */
export interface ClientSettings extends Pick<RequestSettings, 'timeoutMs' | 'maxRetries' | 'strict'> {
  /** The API key. Default: the environment variable SHEAF_API_KEY. */
  apiKey?: string
  /** URL of the Sheaf server. Default: the environment variable SHEAF_BASE_URL, or http://localhost:3000. */
  baseUrl?: string
  /** A replacement of the global `fetch`. */
  fetch?: typeof fetch
  /** A program name for the request log of the account, such as `payroll/2.1`. */
  userAgent?: string
}

/** A request of an endpoint. */
interface Call {
  path: string
  /** Possible content types of the response. */
  contentTypes: readonly string[]
  /** The form field for files, and its files. */
  field?: 'file' | 'files'
  files?: FileInput[]
  /** Whether the options are a field of the body. Otherwise, they are the body. */
  hasOptionsField?: boolean
  options?: object
}

const LOCAL = 'http://localhost:3000'

/** Sends requests with one API key. `Sheaf` has a method for each endpoint. */
export class Client {
  readonly #apiKey: string
  readonly #baseUrl: string
  readonly #settings: ClientSettings

  /** Throws a SheafError without a valid API key, and a TypeError for an invalid URL or one with credentials. */
  constructor(settings: ClientSettings = {}) {
    const apiKey = settings.apiKey ?? readVariable('SHEAF_API_KEY')
    if (!apiKey)
      throw new SheafError('The API key is missing. Set the environment variable SHEAF_API_KEY, or send apiKey.')
    // `fetch` shows the value of a header that it refuses.
    if (!/^[!-~]+$/.test(apiKey))
      throw new SheafError('The API key must be ASCII without spaces and line breaks. Copy the key again.')
    this.#apiKey = apiKey
    this.#baseUrl =
      settings.baseUrl === undefined
        ? readBaseUrl(readVariable('SHEAF_BASE_URL') ?? LOCAL, 'SHEAF_BASE_URL')
        : readBaseUrl(settings.baseUrl, 'baseUrl')
    this.#settings = settings
  }

  /** URL of the Sheaf server, without a slash at its end. */
  get baseUrl(): string {
    return this.#baseUrl
  }

  /** Returns the balance of the account. Costs nothing. */
  async credits(request: RequestSettings = {}): Promise<{ creditBalance: number }> {
    const contentTypes = ['application/json']
    const call = { path: '/api/external/credits', contentTypes, method: 'GET', body: undefined, request } as const
    return (await (await this.#send(call)).json()) as { creditBalance: number }
  }

  /** Sends a request of an endpoint. */
  protected async call<Report>(call: Call, request: RequestSettings = {}): Promise<SheafResult<Report>> {
    const body = await writeBody(call)
    // The key stays the same for all attempts, so that at most one is charged.
    const idempotencyKey = request.idempotencyKey ?? crypto.randomUUID()
    const { path, contentTypes } = call
    const send = () => this.#send({ path, contentTypes, method: 'POST', body, request: { ...request, idempotencyKey } })
    return new SheafResult(await send(), { idempotencyKey, repeat: body.isRepeatable ? send : undefined })
  }

  #send({
    path,
    contentTypes,
    method,
    body,
    request,
  }: {
    path: string
    contentTypes: readonly string[]
    method: 'GET' | 'POST'
    body: RequestBody | undefined
    request: RequestSettings
  }): Promise<Response> {
    const { timeoutMs, maxRetries, strict, userAgent } = this.#settings
    return send({
      url: `${this.#baseUrl}${path}`,
      method,
      contentTypes,
      apiKey: this.#apiKey,
      body,
      userAgent: [userAgent, `sheaf-typescript/${VERSION}`].filter(Boolean).join(' '),
      // Workers refuse `fetch` as a method of another object.
      fetch: this.#settings.fetch ?? ((input, init) => fetch(input, init)),
      settings: { timeoutMs, maxRetries, strict, ...request },
    })
  }
}

async function writeBody({ field, files = [], hasOptionsField, options }: Call): Promise<RequestBody> {
  const encoded = (await encodeOptions(options ?? {})) as Record<string, unknown>
  if (!field) return writeJson(encoded)
  if (!Array.isArray(files)) throw new TypeError("The files must be a list, such as ['a.pdf', 'b.pdf'].")
  if (files.some(isByUrl)) return writeJson(await describeBody({ field, files, hasOptionsField, encoded }))
  const opened: OpenFile[] = []
  for (const [index, file] of files.entries()) if (!isByUrl(file)) opened.push(await openFile(file, nameFile(index)))
  const texts = hasOptionsField ? { options: encoded } : encoded
  return writeForm([
    ...opened.map(value => ({ name: field, value })),
    ...Object.entries(texts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) })),
  ])
}

interface JsonBody extends Pick<Call, 'hasOptionsField'> {
  field: 'file' | 'files'
  files: FileInput[]
  encoded: Record<string, unknown>
}

/** The body of a request with files by URL, which only JSON can have. Its other files are read at once. */
async function describeBody({ field, files, hasOptionsField, encoded }: JsonBody): Promise<Record<string, unknown>> {
  const inputs: object[] = []
  for (const [index, file] of files.entries())
    inputs.push(
      isByUrl(file) ? { ...file, url: String(file.url) } : await encodeFile(await openFile(file, nameFile(index))),
    )
  const input = { [field]: field === 'files' ? inputs : inputs[0] }
  return hasOptionsField ? { ...input, options: encoded } : { ...encoded, ...input }
}

function nameFile(index: number): string {
  return `file-${index + 1}.pdf`
}

function readVariable(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined
}
