import { RequestError } from '../../errors'

const MAX_FORM_BYTES = 16 * 1024

/**
 * Returns the text fields of a small JSON or urlencoded body, without other members. An empty body has no fields.
 * Throws RequestError payload_too_large beyond 16 KiB, unsupported_media_type and invalid_payload.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const text = (await readBodyBytes(request, MAX_FORM_BYTES)).toString('utf8')
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (text === '') return {}
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text))
  if (type === 'application/json') return textMembers(text)
  throw new RequestError(
    'unsupported_media_type',
    'Send the form as application/json or application/x-www-form-urlencoded.',
  )
}

/** Returns a body's bytes unchanged. Throws RequestError payload_too_large. */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      throw new RequestError('payload_too_large', `The form must be at most ${maxBytes} bytes.`, { body: { maxBytes } })
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

function textMembers(text: string): Record<string, string> {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError('invalid_payload', 'The form must be a JSON object.')
  return Object.fromEntries(
    Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RequestError('invalid_payload', "The form isn't valid JSON.", { cause })
  }
}
