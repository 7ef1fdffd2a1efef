import type { PlaygroundEndpoint } from './playground-endpoint'
import type { Json, JsonObject } from '../form/field-shapes'

/** The parts of a request, which both the playground and the curl command send. */
export type RequestParts =
  | { kind: 'json'; json: string }
  /** `texts` are text fields. A value that isn't a string is written as JSON. */
  | { kind: 'form'; fileField: string; texts: { name: string; text: string }[] }

/**
 * Returns the parts of a request: a form if the request has files, otherwise JSON. A form without options has no field
 * for them.
 */
export function writeRequest(
  endpoint: Pick<PlaygroundEndpoint, 'files' | 'optionsKey'>,
  options: JsonObject,
  hasFiles: boolean,
): RequestParts {
  const isForm = endpoint.files === 'one' || endpoint.files === 'many' || (endpoint.files === 'html' && hasFiles)
  if (!isForm) return { kind: 'json', json: JSON.stringify(options, null, 2) }
  const fileField = endpoint.files === 'many' ? 'files' : 'file'
  if (endpoint.optionsKey === undefined)
    return {
      kind: 'form',
      fileField,
      texts: Object.entries(options).map(([name, value]) => ({ name, text: writeField(value) })),
    }
  const texts = Object.keys(options).length === 0 ? [] : [{ name: endpoint.optionsKey, text: JSON.stringify(options) }]
  return { kind: 'form', fileField, texts }
}

/** Returns the body that a browser sends for these parts, with the files in order. */
export function writeBody(
  parts: RequestParts,
  files: File[],
): { body: FormData | string; contentType: string | undefined } {
  if (parts.kind === 'json') return { body: parts.json, contentType: 'application/json' }
  const body = new FormData()
  for (const file of files) body.append(parts.fileField, file, file.name)
  for (const { name, text } of parts.texts) body.append(name, text)
  return { body, contentType: undefined } // The browser sets the Content-Type, with the boundary.
}

function writeField(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
