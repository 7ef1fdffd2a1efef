import type { OpenFile } from './files.js'

/** A field of a form: a text or a file. */
export interface FormField {
  name: string
  value: string | OpenFile
}

/** The body of a request, and its content type. */
export interface RequestBody {
  contentType: string
  /** Returns the body. A body with streams can be sent only once. */
  open(): Blob | ReadableStream<Uint8Array>
  isRepeatable: boolean
}

/** A body in JSON. */
export function writeJson(value: unknown): RequestBody {
  const body = new Blob([JSON.stringify(value)])
  return { contentType: 'application/json', open: () => body, isRepeatable: true }
}

/** A form (RFC 7578). Files are read while they are sent. */
export async function writeForm(fields: FormField[]): Promise<RequestBody> {
  const boundary = `sheaf-${crypto.randomUUID()}`
  const parts = [...fields.flatMap(field => writeField(field, boundary)), `--${boundary}--\r\n`]
  const contentType = `multipart/form-data; boundary=${boundary}`
  const blobs = parts.filter(part => typeof part === 'string' || part instanceof Blob)
  if (blobs.length === parts.length) {
    const body = await join(blobs)
    return { contentType, open: () => body, isRepeatable: true }
  }
  return { contentType, open: () => stream(parts), isRepeatable: false }
}

/** Joins parts without reading files. Bun leaves the content of files out, so there they are read. */
async function join(parts: (string | Blob)[]): Promise<Blob> {
  const blobs = parts.map(part => (typeof part === 'string' ? new Blob([part]) : part))
  const joined = new Blob(blobs)
  if (joined.size === blobs.reduce((sum, { size }) => sum + size, 0)) return joined
  return new Blob(await Promise.all(blobs.map(blob => blob.arrayBuffer())))
}

type Part = string | OpenFile['content']

function writeField({ name, value }: FormField, boundary: string): Part[] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`
  return typeof value === 'string'
    ? [`${head}\r\n\r\n${value}\r\n`]
    : [`${head}; filename="${escape(value.name)}"\r\n\r\n`, value.content, '\r\n']
}

/** Names are escaped as browsers do (HTML, 4.10.21.8). */
function escape(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function stream(parts: Part[]): ReadableStream<Uint8Array> {
  const chunks = readAll(parts)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

async function* readAll(parts: Part[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) {
    if (typeof part === 'string') yield new TextEncoder().encode(part)
    else if (part instanceof Blob) yield new Uint8Array(await part.arrayBuffer())
    else for await (const chunk of part) yield chunk
  }
}
