import { createHmac, type Hmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Body } from '../../body/body'

/** Bytes hashed without a pause, so that a large body doesn't delay other requests. */
const STRETCH_BYTES = 4 * 2 ** 20

/**
 * Returns an HMAC (SHA-256), in hexadecimal, of everything that makes two requests equal: the operation, the fields in
 * any key order, and the files' fields, names and bytes, or URLs as sent. The encoding of the body makes no difference. Without the
 * secret, a stored hash doesn't help to guess a password in the fields.
 */
export async function hashRequest(operationId: string, body: Body, secret: string): Promise<string> {
  const hash = createHmac('sha256', `request hash ${secret}`)
  const files = body.files.map(({ field, name, byteLength, remote }) => ({ field, name, byteLength, url: remote?.url }))
  const longTexts: string[] = []
  hash.update(JSON.stringify([operationId, sortKeys(body.fields, longTexts), files]))
  for (const text of longTexts) await updateInStretches(hash, text)
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

/** A long text is hashed by itself, because JSON of it would take long. */
const LONG_TEXT = 64 * 1024

async function updateInStretches(hash: Hmac, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += STRETCH_BYTES) {
    hash.update(text.slice(at, at + STRETCH_BYTES))
    await setImmediate()
  }
}

/** Entries sorted by key instead of objects, so that `__proto__` stays a key like any other. Moves long texts to a list. */
function sortKeys(value: unknown, longTexts: string[]): unknown {
  if (typeof value === 'string' && value.length > LONG_TEXT)
    return { text: longTexts.push(value), length: value.length }
  if (Array.isArray(value)) return value.map(element => sortKeys(element, longTexts))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return {
    entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortKeys(item, longTexts)]),
  }
}
