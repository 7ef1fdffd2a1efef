/** Content of a file: a path, bytes, a Blob or a stream. */
export type FileContent =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** A file that the server fetches. Its URL must be public. */
export interface FileByUrl {
  url: string | URL
  name: string
}

/**
 * A file to send. Paths and `File` objects have a name. For other content, add one as `{ data, name }`. The server fetches
 * a file that is sent as `{ url, name }`.
 */
export type FileInput = FileContent | { data: FileContent; name: string } | FileByUrl

/** Whether the server fetches a file. A request of `node:http`, which is a stream, has a `url` too, but no name. */
export function isByUrl(input: FileInput): input is FileByUrl {
  return typeof input === 'object' && input !== null && 'url' in input && 'name' in input
}

/** A file in the options of a request, such as a logo. Paths aren't read here, because a text may be a data URL. */
export type FileOption = { name: string; dataBase64: string } | Blob | Uint8Array

/** A file with its name. A stream can be sent only once. */
export interface OpenFile {
  name: string
  content: Blob | AsyncIterable<Uint8Array>
}

/** Opens a file without reading it. Throws a TypeError if there is no such file, or if the value isn't a file. */
export async function openFile(input: Exclude<FileInput, FileByUrl>, fallbackName: string): Promise<OpenFile> {
  if (typeof input === 'object' && 'data' in input) {
    const { content } = await openFile(input.data, input.name)
    return { name: input.name, content }
  }
  if (typeof input === 'string' || input instanceof URL) return openPath(input)
  if (input instanceof Blob) return { name: nameOf(input) ?? fallbackName, content: input }
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input))
    return { name: fallbackName, content: new Blob([input as Uint8Array<ArrayBuffer>]) }
  if (typeof input === 'object' && (Symbol.asyncIterator in input || 'getReader' in input))
    return { name: fallbackName, content: iterate(input) }
  throw new TypeError(`A file must be a path, bytes, a Blob, a stream or {url, name}. Got ${describe(input)}.`)
}

async function openPath(input: string | URL): Promise<OpenFile> {
  const { openAsBlob, promises } = await import('node:fs')
  const path = input instanceof URL ? (await import('node:url')).fileURLToPath(input) : input
  const stats = await promises.stat(path).catch((cause: unknown) => {
    throw new TypeError(`Can't read the file "${path}".`, { cause })
  })
  if (!stats.isFile()) throw new TypeError(`"${path}" is not a file.`)
  // Reads the file while it is sent. Some runtimes don't have this function.
  const content = typeof openAsBlob === 'function' ? await openAsBlob(path) : new Blob([await promises.readFile(path)])
  return { name: path.split(/[\\/]/).at(-1) ?? path, content }
}

async function* iterate(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!('getReader' in stream)) return yield* stream
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

/** Reads a file, for a body in JSON. */
export async function encodeFile({ name, content }: OpenFile): Promise<{ name: string; dataBase64: string }> {
  const parts: BlobPart[] = []
  if (content instanceof Blob) parts.push(content)
  else for await (const chunk of content) parts.push(chunk as Uint8Array<ArrayBuffer>)
  return { name, dataBase64: encodeBase64(new Uint8Array(await new Blob(parts).arrayBuffer())) }
}

/** Writes files in options as `{name, dataBase64}`. */
export async function encodeOptions(value: unknown): Promise<unknown> {
  if (value instanceof Blob)
    return { name: nameOf(value) ?? 'file', dataBase64: encodeBase64(new Uint8Array(await value.arrayBuffer())) }
  if (value instanceof Uint8Array) return { name: 'file', dataBase64: encodeBase64(value) }
  if (Array.isArray(value)) return Promise.all(value.map(encodeOptions))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).map(async ([key, member]) => [key, await encodeOptions(member)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Arguments of one call of `String.fromCharCode`. */
const BATCH = 0x2000

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += BATCH)
    text += String.fromCharCode(...bytes.subarray(start, start + BATCH))
  return btoa(text)
}

function nameOf(blob: Blob): string | undefined {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
}
