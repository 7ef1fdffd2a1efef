import { openAsBlob } from 'node:fs'
import { type ClientSettings, type FileInput, type RequestSettings, type SheafResult } from '../../typescript/src/sheaf'
import { Client } from '../../typescript/src/client'
import type { Operation } from './catalog'

/** A client that sends a request of any endpoint in the catalog. */
export class Sender extends Client {
  /** Sends a request and returns its file. Throws a SheafError. */
  send(
    { path, responses, files: kind, hasOptionsField }: Operation,
    { files, options }: { files: FileInput[]; options: Record<string, unknown> },
    settings: RequestSettings = {},
  ): Promise<SheafResult> {
    const field = kind === 'many' ? 'files' : files.length > 0 ? 'file' : undefined
    return this.call(
      { path, contentTypes: responses, hasOptionsField, options, files, ...(field && { field }) },
      settings,
    )
  }
}

/** Creates a client. `onProgress` is told the bytes that were sent. */
export function createSender(
  settings: ClientSettings,
  onProgress?: (sentBytes: number, totalBytes: number) => void,
): Sender {
  return new Sender({ ...settings, ...(onProgress && { fetch: reportUploads(onProgress) }) })
}

/** Counts the bytes of each body while it is sent. */
function reportUploads(onProgress: (sentBytes: number, totalBytes: number) => void): typeof fetch {
  return (input, init = {}) => {
    const { body } = init
    if (!(body instanceof Blob)) return fetch(input, init)
    let sent = 0
    const counted = body.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.length
          onProgress(sent, body.size)
          controller.enqueue(chunk)
        },
      }),
    )
    return fetch(input, { ...init, body: counted, duplex: 'half' } as RequestInit)
  }
}

/** Reads a file of the options, such as a logo. */
export async function readFileOption(path: string): Promise<{ name: string; dataBase64: string }> {
  const bytes = Buffer.from(await (await openAsBlob(path)).arrayBuffer())
  return { name: path.split(/[\\/]/).at(-1) ?? path, dataBase64: bytes.toString('base64') }
}
