import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Body } from '../../body/body'

/** Bytes hashed without a pause, so that a large body doesn't delay other requests. */
const STRETCH_BYTES = 4 * 2 ** 20

/**
 * Returns an HMAC (SHA-256), in hexadecimal, of everything that makes two requests equal: the operation, the fields in
 * any key order, and the files' fields, names and bytes. The encoding of the body makes no difference. Without the
 * secret, a stored hash doesn't help to guess a password in the fields.
 */
export async function hashRequest(operationId: string, body: Body, secret: string): Promise<string> {
  const hash = createHmac('sha256', `request hash ${secret}`)
  const files = body.files.map(({ field, name, byteLength }) => ({ field, name, byteLength }))
  hash.update(JSON.stringify([operationId, sortKeys(body.fields), files]))
  let stretch = 0
  for (const chunk of body.files.flatMap(file => file.chunks)) {
    hash.update(chunk)
    stretch += chunk.length
    if (stretch < STRETCH_BYTES) continue
    stretch = 0
    await setImmediate()
  }
  return hash.digest('hex')
}

/** Entries sorted by key instead of objects, so that `__proto__` stays a key like any other. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return { entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortKeys(item)]) }
}
