import { BOUNDARY, FORM_TYPE } from '../client'

/** One request of the table. */
export interface HostileRequest {
  /** The endpoint, the field, and the value. */
  endpoint: string
  field: string
  value: string
  path: string
  method?: string
  headers?: Record<string, string>
  /** Writes the body when it is sent, because all bodies together are large. */
  body?(): string | Buffer
  /** The same request with one of its fields each, to find the field that is slow. */
  split?(): HostileRequest[]
}

/** Stands for text that `writeJson` puts in without quotes. */
export const RAW = '@raw@'

/** Writes JSON in which the string RAW is replaced with `raw`. */
export function writeJson(value: unknown, raw = ''): string {
  return JSON.stringify(value).replace(`"${RAW}"`, () => raw)
}

/** A form from pairs of names and texts. */
export function writeFormFields(fields: readonly (readonly [string, string])[], file?: Buffer): Buffer {
  const parts = fields.map(([name, text]) => writePart(`name="${name}"`, text))
  const filePart = file === undefined ? [] : [writePart('name="file"; filename="a.pdf"', file)]
  return Buffer.concat([...parts, ...filePart, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** A part with these parameters of its Content-Disposition. */
export function writePart(parameters: string, content: string | Buffer, moreHeaders = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${parameters}\r\n${moreHeaders}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

export const JSON_HEADERS = { 'content-type': 'application/json' }
export const FORM_HEADERS = { 'content-type': FORM_TYPE }
