import { decodeText, detectUnicode, readDeclaredEncoding } from '../../../decode-text'

/** The text of a metadata stream, and the name of its encoding. */
export interface XmpText {
  text: string
  encoding: string
}

/**
 * Decodes a metadata stream, as far as XML allows it: by its first bytes, or by its XML declaration. Bytes that aren't
 * UTF-8 count as Latin-1, as in XMP toolkits, because old software wrote such packets.
 */
export function decodeXmp(bytes: Uint8Array): XmpText {
  const shown = detectUnicode(bytes)
  const declared = shown === 'utf-8' ? readDeclaredEncoding(bytes) : undefined
  const isDeclared = declared !== undefined && declared.toUpperCase() !== 'UTF-8'
  const text = (isDeclared ? decodeDeclared(bytes, declared) : undefined) ?? decodeDetected(bytes, shown)
  return { text: withLineFeeds(text.replace(/^\ufeff/, '')), encoding: isDeclared ? declared : shown.toUpperCase() }
}

/** Decodes text in the encoding that its first bytes show. UTF-8 may contain some bytes of Latin-1. */
function decodeDetected(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return decodeText(bytes, encoding)
  try {
    return decodeText(bytes, encoding, { isFatal: true })
  } catch {
    return decodeMixed(bytes)
  }
}

function decodeDeclared(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return decodeText(bytes, encoding)
  } catch {
    return undefined
  }
}

/** The text without its comments, which must all be closed. */
export function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    parts.push(text.slice(at, start))
    const end = text.indexOf('-->', start + 4)
    if (end < 0) return parts.join('')
    at = end + 3
  }
  return parts.join('') + text.slice(at)
}

/** Decodes UTF-8 in which some bytes are Latin-1. */
function decodeMixed(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g, sequence =>
      Buffer.from(sequence, 'latin1').toString('utf8'),
    )
}

/** Ends lines as XML parsers do (XML 1.0, 2.11). */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
