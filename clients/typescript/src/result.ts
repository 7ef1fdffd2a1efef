import { readContentType, readNumber, SheafConnectionError, SheafError, SheafTimeoutError } from './errors.js'
import { safeFileName } from './file-name.js'

/** The file of a response, and what the response says about it. `Report` is the type of a file in JSON. */
export class SheafResult<Report = unknown> {
  /** The file name, such as `report-rotated.pdf`. It is safe on every system, whatever the server sends. */
  readonly name: string
  /** The content type without parameters, such as `application/pdf`. */
  readonly contentType: string
  /** Codes of warnings, such as `signatures-invalidated`. */
  readonly warnings: readonly string[]
  /** Credits that the request cost: 1, or 0 if it repeats a paid request. */
  readonly creditsCharged: number
  /** The balance of the account after the request. */
  readonly creditBalance: number
  /** ID of the request. Include it if you ask for help. */
  readonly requestId: string
  /** All headers, such as `x-redaction-verified`. */
  readonly headers: Headers
  #response: Response
  readonly #repeat: (() => Promise<Response>) | undefined
  readonly #idempotencyKey: string
  #bytes: Promise<Uint8Array> | undefined

  /** `repeat` sends the request again, with the same idempotency key. */
  constructor(
    response: Response,
    { idempotencyKey, repeat }: { idempotencyKey: string; repeat: (() => Promise<Response>) | undefined },
  ) {
    const { headers } = response
    this.#response = response
    this.#repeat = repeat
    this.#idempotencyKey = idempotencyKey
    this.headers = headers
    this.name = safeFileName(readFileName(headers.get('content-disposition') ?? ''))
    this.contentType = readContentType(headers)
    this.warnings = (headers.get('x-warnings') ?? '').split(/, */).filter(warning => warning !== '')
    this.creditsCharged = readNumber(headers, 'x-credits-charged') ?? 0
    this.creditBalance = readNumber(headers, 'x-credit-balance') ?? Number.NaN
    this.requestId = headers.get('x-request-id') ?? ''
  }

  /** The bytes of the file. If the connection ends early, the request is repeated, which costs nothing. */
  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#readWhole(async response => new Uint8Array(await response.arrayBuffer()))
    return this.#bytes
  }

  /** The text of the file, such as the text of OCR. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  /** The value of a JSON file. */
  async json(): Promise<Report> {
    return JSON.parse(await this.text()) as Report
  }

  /** The file as a Blob. */
  async blob(): Promise<Blob> {
    return new Blob([(await this.bytes()) as Uint8Array<ArrayBuffer>], { type: this.contentType })
  }

  /** The file as a stream, which can be read once. A connection that ends early isn't repeated. */
  stream(): ReadableStream<Uint8Array> {
    if (!this.#response.body || this.#response.bodyUsed) throw new SheafError('The file was already read.')
    return this.#response.body
  }

  /**
   * Saves the file and returns its path. A path of a folder with a slash at its end keeps the name of the file. The
   * path gets the complete file or stays as it was.
   */
  async save(path: string): Promise<string> {
    const { rename, rm } = await import('node:fs/promises')
    const target = /[\\/]$/.test(path) ? `${path}${this.name}` : path
    const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.part`
    try {
      if (this.#bytes) await writeAll(new Blob([(await this.#bytes) as Uint8Array<ArrayBuffer>]).stream(), draft)
      else await this.#readWhole(response => writeAll(response.body, draft))
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return target
  }

  async #readWhole<T>(read: (response: Response) => Promise<T>): Promise<T> {
    if (this.#response.bodyUsed) throw new SheafError('The file was already read.')
    try {
      return await read(this.#response)
    } catch (cause) {
      if (!this.#repeat || !(cause instanceof SheafConnectionError)) throw this.#explain(cause)
    }
    try {
      this.#response = await this.#repeat()
      return await read(this.#response)
    } catch (cause) {
      throw this.#explain(cause)
    }
  }

  /** Adds to an error of the network that the request was charged, and how to get the file. */
  #explain(cause: unknown): unknown {
    if (!(cause instanceof SheafError)) return cause
    const idempotencyKey = this.#idempotencyKey
    const message =
      `The file didn't arrive: ${cause.message} The request was charged. Within 24 hours, its repetition with the ` +
      `idempotency key ${idempotencyKey} costs nothing.`
    const Kind = cause instanceof SheafTimeoutError ? SheafTimeoutError : SheafConnectionError
    return new Kind(message, { cause, idempotencyKey })
  }
}

async function writeAll(body: ReadableStream<Uint8Array> | null, path: string): Promise<void> {
  const { open } = await import('node:fs/promises')
  const file = await open(path, 'wx')
  try {
    if (body)
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
        // The system may take only a part at once, such as on a disk that is nearly full.
        for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
  } catch (error) {
    await file.close()
    const { rm } = await import('node:fs/promises')
    await rm(path, { force: true }) // The file may be written once more.
    throw error
  }
  await file.close()
}

/** Reads the name of Content-Disposition (RFC 6266). Empty if there is none. */
function readFileName(disposition: string): string {
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1] ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded)
  } catch {
    return plain // The encoded name isn't UTF-8.
  }
}
