import type { IncomingHttpHeaders } from 'node:http'
import { RequestError, type ErrorCode } from '../../errors'
import { createRefusal, writeByteLimit } from '../../refusal'
import type { Handling } from '../../operations/check-fields'

const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** A supported Content-Type, with the header as sent, because the header contains the multipart boundary. */
export interface BodyType {
  kind: 'json' | 'multipart'
  header: string
}

/** Returns the type of the body. Throws `unsupported_media_type`, also for any Content-Encoding. */
export function readBodyType(headers: IncomingHttpHeaders): BodyType {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== '' && encoding !== 'identity') {
    throw new RequestError(
      'unsupported_media_type',
      'Content-Encoding is unsupported. Send the body without compression.',
    )
  }
  const header = headers['content-type'] ?? ''
  const type = header.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return { kind: 'json', header }
  if (type === 'multipart/form-data') return { kind: 'multipart', header }
  throw new RequestError(
    'unsupported_media_type',
    'The Content-Type must be application/json or multipart/form-data. ' +
      (type ? `Got ${clip(type)}.` : 'The header is missing.'),
  )
}

/** Throws if the announced body is larger than allowed, before any of it is read. */
export function assertAnnouncedLength(headers: IncomingHttpHeaders, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw createTooLarge(maxBytes)
}

/** Returns the error for a body over the limit. */
export function createTooLarge(maxBytes: number): RequestError {
  return new RequestError(
    'payload_too_large',
    `The body must be at most ${writeByteLimit(maxBytes)}. Send a smaller file or fewer files.`,
    { body: { maxBytes } },
  )
}

/**
 * Returns the Idempotency-Key, if one was sent. Throws the operation's error code unless the key has 1 to 255 printable
 * ASCII characters.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders, refusalCode: ErrorCode): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (
    typeof key === 'string' &&
    key.length <= MAX_IDEMPOTENCY_KEY_LENGTH &&
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)
  )
    return key
  throw createRefusal(refusalCode, [
    { param: 'Idempotency-Key', message: `must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.` },
  ])
}

/**
 * Returns how the client wants unknown fields to be handled: `Prefer: handling=strict` or `handling=lenient` (RFC 7240
 * §4.4). Other preferences are ignored, and the first of several counts (§2).
 */
export function readHandling(headers: IncomingHttpHeaders): Handling {
  if (headers['prefer'] === undefined) return 'default'
  const header = [headers['prefer']].flat().join(',')
  for (const preference of header.split(',')) {
    const [name = '', value] = preference.split(';', 1).join('').split('=')
    if (value === undefined || name.trim().toLowerCase() !== 'handling') continue
    const handling = value.trim().replaceAll('"', '').toLowerCase()
    return handling === 'strict' || handling === 'lenient' ? handling : 'default'
  }
  return 'default'
}

/** Returns the names in the query string of a request target, each once. */
export function readQueryNames(target = ''): string[] {
  const queryAt = target.indexOf('?')
  return queryAt < 0 ? [] : [...new Set(new URLSearchParams(target.slice(queryAt)).keys())]
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
