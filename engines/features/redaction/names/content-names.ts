import { asBuffer, ContentReader, isRegular, readName, stringEnd } from '../../../pdf/syntax'

const SLASH = 0x2f
const PERCENT = 0x25
const PARENTHESIS = 0x28
const LESS = 0x3c

/** A name in a content stream: its byte range including the slash (end exclusive), and its text without escapes. */
interface FoundName {
  start: number
  end: number
  text: string
}

/**
 * Yields the names among the operands of a content stream, including arrays, property lists and dictionaries of inline
 * images. Skips strings, comments and the data of inline images.
 */
export function* namesInContent(bytes: Uint8Array): Generator<FoundName> {
  if (bytes.indexOf(SLASH) < 0) return
  const reader = new ContentReader(bytes)
  let at = 0
  while (reader.next()) {
    yield* namesBetween(bytes, at, reader.operator === 'BI' ? reader.dataStart : reader.end)
    at = reader.end
  }
  yield* namesBetween(bytes, at, bytes.length)
}

/** Returns whether the bytes contain a wanted name. The check is fast and also matches inside strings and data. */
export function holdsName(bytes: Uint8Array, isWanted: (text: string) => boolean): boolean {
  for (let at = bytes.indexOf(SLASH); at >= 0; at = bytes.indexOf(SLASH, at)) {
    const start = at++
    while (at < bytes.length && isRegular(bytes[at])) at++
    if (isWanted(readName(bytes, start, at))) return true
  }
  return false
}

/** Renames names in a content stream. `rename` returns names without a slash. Returns undefined if nothing changes. */
export function renameInContent(bytes: Uint8Array, rename: (text: string) => string | undefined): Buffer | undefined {
  const source = asBuffer(bytes)
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end, text } of namesInContent(bytes)) {
    const name = rename(text)
    if (name === undefined) continue
    parts.push(source.subarray(at, start), Buffer.from(`/${name}`, 'latin1'))
    at = end
  }
  return at === 0 ? undefined : Buffer.concat([...parts, source.subarray(at)])
}

function* namesBetween(bytes: Uint8Array, from: number, end: number): Generator<FoundName> {
  let at = from
  while (at < end) {
    const byte = bytes[at]
    if (byte === PERCENT) while (at < end && bytes[at] !== 10 && bytes[at] !== 13) at++
    else if (byte === PARENTHESIS) at = stringEnd(bytes, at, end)
    else if (byte === LESS && bytes[at + 1] !== LESS) {
      const close = asBuffer(bytes).indexOf(0x3e, at)
      at = close < 0 ? end : close + 1
    } else if (byte === LESS) at += 2
    else if (byte === SLASH) {
      const start = at++
      while (at < end && isRegular(bytes[at])) at++
      yield { start, end: at, text: readName(bytes, start, at) }
    } else at++
  }
}
