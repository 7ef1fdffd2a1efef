import { readNumber, SheafConnectionError, SheafError } from './errors.js'
import { safeFileName } from './file-name.js'

/** The file of a response, and what the response says about it. */
export class SheafResult {
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
  #bytes: Promise<Uint8Array> | undefined

  constructor(response: Response, repeat: (() => Promise<Response>) | undefined) {
    const { headers } = response
    this.#response = response
    this.#repeat = repeat
    this.headers = headers
    this.name = safeFileName(readFileName(headers.get('content-disposition') ?? ''))
    this.contentType = (headers.get('content-type') ?? '').replace(/;.*/s, '').trim()
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
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
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
      if (isOfFileSystem(cause)) throw cause
      if (!this.#repeat) throw cutShort(cause)
      this.#response = await this.#repeat()
    }
    try {
      return await read(this.#response)
    } catch (cause) {
      throw isOfFileSystem(cause) ? cause : cutShort(cause)
    }
  }
}

function cutShort(cause: unknown): SheafConnectionError {
  return new SheafConnectionError('The connection ended before the end of the file.', { cause })
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

/** Errors of the file system have these codes. Errors of the network have no path. */
function isOfFileSystem(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'syscall' in error && ['open', 'write', 'close', 'rename'].includes(String(error.syscall))
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
